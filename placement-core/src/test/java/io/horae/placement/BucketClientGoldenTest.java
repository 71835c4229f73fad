package io.horae.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Client tables grow as opencluster's do. Its messages carry no epoch: each here has the number of
 * its turn. It takes messages of level 0 alone, and so does this test. One case has masks of three
 * bits, which are no whole digits: those are refused.
 */
class BucketClientGoldenTest {

  @Test
  void learn_growsAsOpenclusters() {
    int stages = 0;
    int refused = 0;
    for (Golden vector : Golden.load("hashmask-split.json").field("cases").items()) {
      BucketTable table = BucketTable.initial(Node.of("0"));
      int turn = 0;
      for (Golden stage : vector.field("stages").items()) {
        long mask = stage.field("mask").number();
        if (mask == 7) {
          assertThrows(IllegalArgumentException.class, () -> new HashMask(mask, 0));
          refused++;
          break;
        }
        for (Golden message : stage.field("messages").items()) {
          turn++;
          if (message.item(3).number() == 0) {
            HashMask bucket = new HashMask(message.item(1).number(), message.item(2).number());
            Node server = Node.of(String.valueOf(message.item(0).number()));
            table = table.learn(List.of(new Bucket(bucket, server, List.of(), turn)));
          }
        }
        List<Golden> primaries = stage.field("primary").items();
        assertEquals(mask + 1, primaries.size());
        for (int slot = 0; slot <= mask; slot++) {
          String owner = table.nodes().get(table.primaryAt(slot)).id();
          assertEquals(
              String.valueOf(primaries.get(slot).number()), owner, vector.field("name").text());
        }
        stages++;
      }
    }
    assertEquals(8, stages);
    assertEquals(1, refused);
  }
}
