package io.horae.examples.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.horae.examples.report.Lateness;
import io.horae.examples.report.PopCounts;
import io.horae.resync.Pop;
import io.horae.resync.Stamp;
import io.horae.resync.TimerId;
import java.util.List;
import org.junit.jupiter.api.Test;

class JudgementTest {

  private static final Stamp STAMP = new Stamp(1, 1);

  private final Ledger ledger = new Ledger();

  private static Pop pop(int timer, int sequence, Stamp stamp) {
    return new Pop(new TimerId(7, 2, 0), stamp, sequence, false, 0, Ledger.payload(timer));
  }

  private PopCounts judged() {
    return new Judgement(ledger, List.of(0L)).pops(0);
  }

  @Test
  void pops_atTheirTime_areOnTime() {
    int timer = ledger.asked(100, 5_000, 2);
    ledger.created(timer, 120);
    ledger.came(pop(timer, 1, STAMP), 5_100);
    ledger.came(pop(timer, 2, STAMP), 11_100);

    assertEquals(new PopCounts(2, 2, 0, 0, 0, 0, 0, 0), judged());
    assertEquals(List.of(), judged().broken());
  }

  @Test
  void pops_beforeTheirTime_areEarly() {
    ledger.came(pop(ledger.asked(100, 5_000, 1), 1, STAMP), 5_099);

    assertEquals(new PopCounts(1, 0, 1, 0, 0, 0, 0, 0), judged());
    assertEquals(List.of("1 pop came early."), judged().broken());
  }

  @Test
  void pops_afterASecond_areLateAndNoMore() {
    ledger.came(pop(ledger.asked(100, 5_000, 1), 1, STAMP), 6_101);

    assertEquals(new PopCounts(1, 0, 0, 1, 0, 0, 0, 0), judged());
    assertEquals(List.of(), judged().broken());
  }

  @Test
  void pops_afterTwiceTheirInterval_areOverdue() {
    int timer = ledger.asked(100, 5_000, 1);
    ledger.created(timer, 150);
    ledger.came(pop(timer, 1, STAMP), 10_150);

    assertEquals(new PopCounts(1, 0, 0, 0, 1, 0, 0, 0), judged());
    assertFalse(judged().broken().isEmpty());
  }

  @Test
  void pops_thatNeverCame_areLost() {
    int timer = ledger.asked(100, 5_000, 3);
    ledger.came(pop(timer, 1, STAMP), 5_100);
    ledger.came(pop(timer, 3, STAMP), 15_100);

    assertEquals(new PopCounts(3, 2, 0, 0, 0, 1, 0, 0), judged());
    assertEquals(List.of("1 pop was lost."), judged().broken());
  }

  @Test
  void pops_againWithTheSameStampAndNumber_areDoubled() {
    int timer = ledger.asked(100, 5_000, 1);
    ledger.came(pop(timer, 1, STAMP), 5_100);
    ledger.came(pop(timer, 1, STAMP), 7_100);

    assertEquals(new PopCounts(1, 1, 0, 0, 0, 0, 1, 0), judged());
    assertEquals(List.of(), judged().broken());
  }

  @Test
  void pops_againWithAnotherStampOrNumber_areDiffering() {
    int one = ledger.asked(100, 5_000, 1);
    ledger.came(pop(one, 1, STAMP), 5_100);
    ledger.came(pop(one, 1, new Stamp(2, 1)), 5_200);
    int other = ledger.asked(100, 5_000, 1);
    ledger.came(pop(other, 1, STAMP), 5_100);
    ledger.came(pop(other, 2, STAMP), 5_200);

    assertEquals(new PopCounts(2, 2, 0, 0, 0, 0, 0, 2), judged());
    assertEquals(1, judged().broken().size());
  }

  @Test
  void pops_nobodyAskedFor_areDiffering() {
    ledger.came(pop(5, 1, STAMP), 5_100);

    assertEquals(new PopCounts(0, 0, 0, 0, 0, 0, 0, 1), judged());
  }

  @Test
  void phases_haveThePopsThatWereDueInThem() {
    int first = ledger.asked(0, 1_000, 1);
    int second = ledger.asked(0, 2_000, 1);
    ledger.came(pop(first, 1, STAMP), 2_500);
    ledger.came(pop(second, 1, STAMP), 2_003);

    Judgement judgement = new Judgement(ledger, List.of(0L, 2_000L));
    assertEquals(new PopCounts(1, 0, 0, 0, 1, 0, 0, 0), judgement.pops(0));
    assertEquals(new PopCounts(1, 1, 0, 0, 0, 0, 0, 0), judgement.pops(1));
    assertEquals(Lateness.of(List.of(1_500L)), judgement.lateness(0));
    assertEquals(Lateness.of(List.of(3L)), judgement.lateness(1));
  }

  @Test
  void isOver_afterTheLastPop() {
    int timer = ledger.asked(0, 1_000, 2);
    ledger.came(pop(timer, 1, STAMP), 1_000);
    assertFalse(ledger.isOver(timer));
    ledger.came(pop(timer, 2, STAMP), 2_000);
    assertTrue(ledger.isOver(timer));
    assertEquals(1, ledger.overCount());
  }
}
