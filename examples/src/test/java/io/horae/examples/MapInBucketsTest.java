package io.horae.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MapInBucketsTest {

  @Test
  void map_onAClusterThatChanges_isLikeAnyOther() {
    MapInBuckets map = new MapInBuckets("a");
    Map<String, String> model = new TreeMap<>();
    for (int i = 0; i < 2_000; i++) {
      String key = "key " + i % 300;
      if (i % 7 == 0) {
        map.remove(key);
        model.remove(key);
      } else {
        map.put(key, "value " + i);
        model.put(key, "value " + i);
      }
      switch (i) {
        case 400 -> map.join("b");
        case 800 -> map.join("c");
        case 1_200 -> map.run(10_000); // every bucket gets its backup
        case 1_201 -> map.kill("b");
        default -> {}
      }
    }
    map.run(10_000);
    for (int i = 0; i < 300; i++) {
      assertEquals(model.get("key " + i), map.get("key " + i));
    }
    assertNull(map.get("another"));
    assertEquals(Map.of("a", 8, "c", 8), map.buckets());
    assertTrue(map.transfers() > 16, () -> "transfers: " + map.transfers());
  }

  @Test
  void leave_whileItIsUsed_losesNothing() {
    MapInBuckets map = new MapInBuckets("a");
    map.join("b");
    map.join("c");
    for (int i = 0; i < 300; i++) {
      map.put("key " + i, "value " + i);
    }
    map.leave("a");
    map.leave("c"); // at once: what a handed over has had no time to get another backup
    for (int i = 0; i < 300; i++) {
      assertEquals("value " + i, map.get("key " + i));
    }
    assertEquals(Map.of("b", 16), map.buckets());
    assertThrows(IllegalArgumentException.class, () -> map.leave("b"));
    assertThrows(IllegalArgumentException.class, () -> map.leave("a"));
  }

  @Test
  void main_runs() {
    MapInBuckets.main(new String[0]);
  }
}
