package io.horae.resync;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Records of one timer, drawn from so few values that most pairs have some in common. Of equal
 * stamps the content may differ all the same, as only a node that is broken or hostile could send.
 */
final class RecordPool {

  static final long ID = 42;

  private static final List<List<String>> REPLICAS =
      List.of(List.of("a"), List.of("a", "b"), List.of("b", "a"), List.of("a\nb"), List.of("b"));

  private final SplittableRandom random;

  RecordPool(long seed) {
    random = new SplittableRandom(seed);
  }

  List<TimerRecord> records(int count) {
    return Stream.generate(this::record).limit(count).toList();
  }

  TimerRecord record() {
    boolean ended = random.nextInt(3) == 0;
    byte[] payload = ended ? new byte[0] : new byte[] {(byte) (random.nextInt(3) - 1)};
    int repeats = random.nextInt(4) == 0 ? 1 : 3;
    return new TimerRecord(
        ID,
        stamp(),
        random.nextInt(3) - 1,
        10,
        10L * repeats,
        random.nextInt(repeats + (ended ? 1 : 0)),
        random.nextInt(4) == 0 ? 3 : 2,
        assignment(),
        payload,
        ended);
  }

  Stamp stamp() {
    return new Stamp(random.nextInt(1, 3), random.nextInt(2) - 1);
  }

  Assignment assignment() {
    ViewStamp view = new ViewStamp(random.nextInt(2), random.nextInt(2) - 1);
    return new Assignment(view, REPLICAS.get(random.nextInt(REPLICAS.size())));
  }
}
