package io.horae.benchmarks;

import io.horae.benchmarks.report.Question;
import java.util.ArrayList;
import java.util.List;

/** All questions that a run asks of JMH, in the order of the report. */
final class Suite {

  private static final String KEYS = "Where does a key live?";
  private static final String BUILDING = "Building and changing a placement";
  private static final String TIMERS = "When is a timer due?";
  private static final String NODES = "Replicated timers";
  private static final String NS = "ns";

  private Suite() {}

  static List<Timed> timed() {
    List<Timed> all = new ArrayList<>();
    rendezvous(all);
    otherPlacements(all);
    building(all);
    wheels(all);
    concurrentWheels(all);
    nodes(all);
    return List.copyOf(all);
  }

  private static void rendezvous(List<Timed> all) {
    Question lookup =
        Question.of("rendezvous", KEYS, "Rendezvous: primary and one backup", "nodes", NS)
            .text(
                "Of a number key. Textbook (a `TreeMap`) and linear scan hash with Guava's Murmur3"
                    + " and give Horae's answer. Ignite assigns one of 1,024 partitions, as it does"
                    + " for each when the topology changes; its lookups read a table, as a tabulated"
                    + " placement's do. Druid's hasher finds one node, so it is asked twice, the"
                    + " second time without the first.")
            .horae("horae", "Horae, indexes")
            .horae("horaeList", "Horae, list")
            .peer("textbook", "textbook, `TreeMap`")
            .peer("linear", "linear scan on Guava")
            .peer("ignite", "Ignite, a partition")
            .peer("druid", "Druid, twice")
            .work("bareLoop", "bare loop")
            .work("bareValues", "scores without nodes");
    all.add(
        new Timed(
                lookup,
                "nodes",
                "\\.RendezvousBenchmark\\.(horae|horaeList|bareLoop|bareValues)$",
                "\\.RendezvousReplicasBenchmark\\.(textbook|linear|ignite|druid)$")
            .with("nodes", "3", "10", "30", "100", "1000", "10000")
            .with("replicas", "2"));
    for (String replicas : List.of("1", "3")) {
      String title = replicas.equals("1") ? "the primary alone" : "three replicas";
      Question other =
          Question.of("rendezvous-" + replicas, KEYS, "Rendezvous: " + title, "nodes", NS)
              .horae("horae", "Horae, indexes")
              .peer("textbook", "textbook, `TreeMap`")
              .peer("linear", "linear scan on Guava")
              .peer("ignite", "Ignite, a partition")
              .peer("druid", "Druid, " + replicas + " times");
      all.add(
          new Timed(other, "nodes", "\\.RendezvousReplicasBenchmark\\.")
              .with("replicas", replicas)
              .quick("nodes", "10", "1000"));
    }
    Question weighted =
        Question.of("rendezvous-weighted", KEYS, "Rendezvous with weights", "nodes", NS)
            .text(
                "Primary and one backup, weights 1 to 4. The linear scan hashes with Guava, takes a"
                    + " logarithm for every node and gives Horae's answer; no peer library weighs"
                    + " rendezvous.")
            .horae("horae", "Horae")
            .peer("linear", "linear scan on Guava");
    all.add(
        new Timed(weighted, "nodes", "\\.RendezvousWeightedBenchmark\\.")
            .quick("nodes", "10", "1000"));
    Question zoned =
        Question.of("rendezvous-zoned", KEYS, "Rendezvous with zones", "nodes", NS)
            .text(
                "Primary and one backup in another of three zones. Ignite assigns a partition with"
                    + " its `ClusterNodeAttributeAffinityBackupFilter`.")
            .horae("horae", "Horae")
            .peer("textbook", "textbook, `TreeMap`")
            .peer("ignite", "Ignite, a partition");
    all.add(
        new Timed(zoned, "nodes", "\\.RendezvousZonedBenchmark\\.").quick("nodes", "10", "1000"));
  }

  private static void otherPlacements(List<Timed> all) {
    Question ketama =
        Question.of("ketama", KEYS, "Ketama: the server of a text key", "servers", NS)
            .text(
                "Of 20 characters. spymemcached, xmemcached and Couchbase's core-io give Horae's"
                    + " answer; folsom has Murmur3 and a ring of its own, which is no other"
                    + " client's. The work itself is the JDK's MD5 of bytes that are there already,"
                    + " with a branch-free search and alone.")
            .horae("horae", "Horae")
            .horae("horaeBulk", "Horae, 1,024 at once")
            .peer("spymemcached", "spymemcached")
            .peer("xmemcached", "xmemcached")
            .peer("couchbase", "core-io")
            .work("folsom", "folsom (Murmur3)")
            .work("floor", "MD5 and search")
            .work("jdkMd5", "MD5 alone");
    all.add(
        new Timed(
                ketama,
                "servers",
                "\\.KetamaBenchmark\\.(horae|horaeBulk|spymemcached|xmemcached|couchbase|folsom"
                    + "|floor|jdkMd5)$")
            .with("servers", "4", "20", "200"));
    Question ring =
        Question.of("ring", KEYS, "A text key on two nodes", "nodes", NS)
            .text(
                "Primary and one backup. Allgood's ring has as many points as Ketama, hashed with"
                    + " Murmur3 in place of MD5; Druid's rendezvous is asked twice. Every placement"
                    + " has answers of its own.")
            .horae("ketama", "Horae, Ketama")
            .horae("rendezvous", "Horae, rendezvous")
            .peer("allgood", "allgood's ring")
            .peer("druid", "Druid, twice");
    all.add(new Timed(ring, "nodes", "\\.RingBenchmark\\."));
    Question bucket =
        Question.of("bucket", KEYS, "The owner of a hash among buckets", "buckets", NS)
            .text(
                "On 100 servers. The array is a single read and cannot be split; the maps are one"
                    + " `HashMap` for each depth. The ragged table has buckets of two to eight"
                    + " digits, all hit alike.")
            .horae("horae", "Horae")
            .peer("map", "maps")
            .work("array", "bare array");
    all.add(new Timed(bucket, "buckets", "\\.BucketBenchmark\\.(horae|map|array)$"));
    Question table =
        Question.of("tabulated", KEYS, "A number key in a table", "nodes", NS)
            .text(
                "A `TabulatedPlacement` of 16,384 partitions: the primary, and primary and one backup."
                    + " Guava and hash4j compute the number of one node; of the nodes they number,"
                    + " none but the last can leave.")
            .horae("horaePrimary", "Horae, primary")
            .horae("horae", "Horae, and a backup")
            .peer("guava", "Guava's `consistentHash`")
            .peer("hash4j", "hash4j's JumpBackHash")
            .work("rendezvous", "rendezvous, computed");
    all.add(new Timed(table, "nodes", "\\.TabulatedBenchmark\\."));
  }

  private static void building(List<Timed> all) {
    Question rendezvous =
        Question.of("build-rendezvous", BUILDING, "Building a rendezvous placement", "nodes", "µs")
            .text("Beside hashing the ids of the nodes with Guava, which is all that it takes.")
            .horae("rendezvous", "Horae")
            .peer("guavaSeeds", "seeds with Guava");
    all.add(
        new Timed(rendezvous, "nodes", "\\.BuildBenchmark\\.(rendezvous|guavaSeeds)$")
            .muchCode()
            .quick("nodes", "10", "1000"));
    Question ring =
        Question.of("build-ring", BUILDING, "Building a ring", "servers", "µs")
            .text("160 points a server; allgood hashes with Murmur3, the others with MD5.")
            .horae("horae", "Horae, Ketama")
            .peer("spymemcached", "spymemcached")
            .peer("allgood", "allgood");
    all.add(new Timed(ring, "servers", "\\.KetamaBuildBenchmark\\.").muchCode());
    Question table =
        Question.of("build-table", BUILDING, "Building a table of buckets", "nodes", "µs")
            .text(
                "Nodes join a `BucketTable` one by one, then it is split where needed and evened"
                    + " out. Ignite assigns 1,024 partitions.")
            .horae("buckets", "Horae, buckets")
            .peer("ignite", "Ignite, 1,024 partitions");
    all.add(
        new Timed(table, "nodes", "\\.BuildBenchmark\\.(buckets|ignite)$")
            .muchCode()
            .quick("nodes", "10", "100"));
    Question change =
        Question.of("change-tabulated", BUILDING, "A table when the view changes", "nodes", "µs")
            .text("16,384 partitions with two replicas by rendezvous: a node joins, or leaves.")
            .horae("join", "a node joins")
            .horae("leave", "a node leaves")
            .work("anew", "all anew");
    all.add(
        new Timed(change, "nodes", "\\.TabulatedRebuildBenchmark\\.").quick("nodes", "10", "1000"));
    Question movement =
        Question.of("movement", BUILDING, "Planning what moves when a node joins", "nodes", NS)
            .text(
                "For each of a million number keys with two replicas: `Movement.between`. The textbook"
                    + " looks both up in `TreeMap`s and counts in a `HashMap`. The lookups alone,"
                    + " before and after, are what any plan has to make.")
            .horae("horae", "Horae")
            .peer("textbook", "textbook, `TreeMap`")
            .work("lookups", "lookups alone");
    all.add(new Timed(movement, "nodes", "\\.MovementBenchmark\\.").quick("nodes", "10", "100"));
  }

  private static void wheels(List<Timed> all) {
    String[] some = {
      "horae",
      "horae-handles",
      "agronaWithIds-524288",
      "netty-524288",
      "kafka-256",
      "agrona-4096",
      "agrona-524288"
    };
    List<String> more = new ArrayList<>(List.of(some));
    more.add("executor");
    String[] someAndExecutor = more.toArray(String[]::new);
    all.add(
        new Timed(
                wheel("wheel-replace", "Cancel a timer and schedule another", ""),
                "timers",
                "\\.WheelScheduleCancelBenchmark\\.")
            .subjectsAre("name")
            .quick("name", someAndExecutor));
    all.add(
        new Timed(
                wheel("wheel-expire", "Fire a timer and schedule it again", ""),
                "timers",
                "\\.WheelExpireBenchmark\\.")
            .subjectsAre("name")
            .quick("name", some));
    all.add(
        new Timed(
                wheel("wheel-drain", "Schedule them all, then fire them all", "For each timer."),
                "timers",
                "\\.WheelFillAndDrainBenchmark\\.")
            .subjectsAre("name")
            .per("timers")
            .quick("name", some));
    all.add(
        new Timed(
                wheel("wheel-mixed", "Fire a timer, and replace another", "For each of the two."),
                "timers",
                "\\.WheelMixedBenchmark\\.")
            .subjectsAre("name")
            .quick(
                "name",
                "horae",
                "horae-handles",
                "agronaWithIds-524288",
                "netty-524288",
                "kafka-256"));
    all.add(
        new Timed(
                Question.of("wheel-catch-up", TIMERS, "Catch up in one go", "hours", NS)
                    .text("1,000 timers over so many hours that nobody told the time; for each.")
                    .horae("horae", "Horae")
                    .peer("agronaWithIds-524288", "Agrona with ids")
                    .peer("netty-524288", "Netty")
                    .peer("kafka-256", "Kafka")
                    .work("agrona-524288", "Agrona alone"),
                "hours",
                "\\.WheelCatchUpBenchmark\\.")
            .subjectsAre("name")
            .per("timers")
            .with("timers", "1000")
            .quick("hours", "1")
            .full("hours", "1", "24"));
    String[] mixed = {
      "horae", "horae-handles", "agronaWithIds-524288", "netty-524288", "kafka-256"
    };
    all.add(
        tenMillion(
            wheel("wheel-replace-10m", "Cancel and schedule, among ten million", ""),
            "\\.WheelScheduleCancelBenchmark\\.",
            someAndExecutor));
    all.add(
        tenMillion(
            wheel("wheel-expire-10m", "Fire and schedule again, among ten million", ""),
            "\\.WheelExpireBenchmark\\.",
            some));
    all.add(
        tenMillion(
                wheel("wheel-drain-10m", "Schedule ten million, then fire them", "For each timer."),
                "\\.WheelFillAndDrainBenchmark\\.",
                some)
            .per("timers"));
    all.add(
        tenMillion(
            wheel(
                "wheel-mixed-10m",
                "Fire one, replace another, among ten million",
                "For each of the two."),
            "\\.WheelMixedBenchmark\\.",
            mixed));
  }

  /** Takes gigabytes, and minutes for each answer, so that a quick run leaves it out. */
  private static Timed tenMillion(Question question, String benchmark, String... names) {
    return new Timed(question, "timers", benchmark)
        .subjectsAre("name")
        .full("timers", "10000000")
        .full("name", names)
        .onlyFull("-Xms10g", "-Xmx10g");
  }

  private static Question wheel(String id, String title, String text) {
    return Question.of(id, TIMERS, title, "timers", NS)
        .text(
            (text
                    + " Horae and Agrona with ids (its wheel and two of its maps) find timers by the"
                    + " caller's ids; the others are spared that, as Horae is with handles. Agrona"
                    + " alone keeps neither ids nor payloads. Numbers behind names are spokes.")
                .strip())
        .horae("horae", "Horae, ids")
        .horae("horae-handles", "Horae, handles")
        .peer("agronaWithIds-4096", "Agrona with ids, 4,096")
        .peer("agronaWithIds-524288", "Agrona with ids, 524,288")
        .peer("netty-4096", "Netty, 4,096")
        .peer("netty-524288", "Netty, 524,288")
        .peer("kafka-20", "Kafka, 20")
        .peer("kafka-256", "Kafka, 256")
        .peer("executor", "the JDK's executor")
        .work("agrona-4096", "Agrona alone, 4,096")
        .work("agrona-524288", "Agrona alone, 524,288");
  }

  private static void concurrentWheels(List<Timed> all) {
    String[][] works = {
      {"scheduleAndCancel", "cancel", "schedule a task and cancel it at once"},
      {"replace", "replace", "cancel one of many and schedule another"},
      {"scheduleAndExpire", "expire", "schedule tasks and wait until they have run"},
    };
    for (String[] work : works) {
      all.add(concurrentWheel(work[0], "concurrent-" + work[1], "Two threads: " + work[2], 2));
      all.add(concurrentWheel(work[0], "concurrent-1-" + work[1], "One thread: " + work[2], 1));
    }
  }

  private static Timed concurrentWheel(String method, String id, String title, int threads) {
    Question question =
        Question.of(id, TIMERS, title, "timers", NS)
            .text(
                "The thread that drives the wheel shares the processor with the callers, and its"
                    + " work is in the result. Netty's driver unlinks what was cancelled, so"
                    + " callers wait for it when too much is left.")
            .horae("horae", "Horae")
            .peer("netty", "Netty")
            .peer("executor", "the JDK's executor");
    return new Timed(question, "timers", "\\.ConcurrentWheelBenchmark\\." + method + "$")
        .subjectsAre("wheel")
        .threads(threads)
        .quick("timers", "1000", "1000000");
  }

  private static void nodes(List<Timed> all) {
    all.add(
        new Timed(
                Question.of("node", NODES, "A timer on two nodes", "codec", NS)
                    .text(
                        "Created at one of two `TimerNode`s until both have confirmed, and popped until"
                            + " both know; no I/O, one thread. With the codec, messages are written as"
                            + " bytes and read. Bare: scheduled and fired in two bare wheels.")
                    .horae("create", "create")
                    .horae("pop", "pop")
                    .work("wheels", "bare wheels, both"),
                "codec",
                "\\.NodeBenchmark\\.")
            .muchCode());
    String text =
        "A node joins; every timer, with 100 bytes, is on two nodes. All nodes in one thread, every"
            + " message through the codec. Copying is the least that moving takes: the records"
            + " that move, through the codec and into a store, once it is known what moves where;"
            + " copying all takes every record that any node holds. Looking is asking once for each copy where it belongs.";
    all.add(
        new Timed(
                resync("resync", "Resync: ten nodes, and one joins", "timers", text),
                "timers",
                "\\.ResyncBenchmark\\.")
            .with("nodes", "10")
            .muchCode());
    all.add(
        new Timed(
                resync("resync-nodes", "Resync: 10,000 timers, and a node joins", "nodes", text),
                "nodes",
                "\\.ResyncBenchmark\\.")
            .with("timers", "10000")
            .muchCode());
    all.add(
        new Timed(
                Question.of("transfer", NODES, "Sending a bucket", "items", NS)
                    .text(
                        "For each item, of 100 bytes. Copying is a loop from one store into another,"
                            + " of what is not there or older there. No codec, no network.")
                    .horae("transfer", "transfer")
                    .work("plainLoop", "copying"),
                "items",
                "\\.BucketTransferBenchmark\\.(transfer|plainLoop)$")
            .per("items")
            .singleShots());
    all.add(
        new Timed(
                Question.of("write", NODES, "Writing into a bucket", "items", NS)
                    .text(
                        "For each write, of 100 bytes: to a server alone with the bucket, to one"
                            + " with a backup, and to one that sends the bucket meanwhile, the"
                            + " transfer of as many items included.")
                    .horae("writesAlone", "alone")
                    .horae("writesWithBackup", "with a backup")
                    .horae("writesDuringTransfer", "during a transfer"),
                "items",
                "\\.BucketTransferBenchmark\\.writes")
            .per("items")
            .singleShots());
    all.add(
        new Timed(
                Question.of("encode", NODES, "Writing records as bytes", "records", NS)
                    .text("The twin writes every field in full width into a `ByteBuffer`.")
                    .horae("encode", "Horae")
                    .peer("encodeTwin", "by hand"),
                "records",
                "\\.CodecBenchmark\\.encode")
            .muchCode());
    all.add(
        new Timed(
                Question.of("decode", NODES, "Reading records from bytes", "records", NS)
                    .text("The twin checks nothing that it reads.")
                    .horae("decode", "Horae")
                    .peer("decodeTwin", "by hand"),
                "records",
                "\\.CodecBenchmark\\.decode")
            .muchCode());
  }

  private static Question resync(String id, String title, String size, String text) {
    return Question.of(id, NODES, title, size, "µs")
        .text(text)
        .horae("resync", "resync")
        .horae("resyncWithoutCodec", "without the codec")
        .work("copy", "copying what moves")
        .work("copyAll", "copying all")
        .work("look", "looking");
  }
}
