plugins {
  application
}

description = "JMH benchmarks of Horae beside its peers."

application {
  mainClass = providers.gradleProperty("mainClass").orElse("io.horae.benchmarks.Benchmarks")
}

dependencies {
  implementation(project(":placement-core"))
  implementation(project(":timer-wheel"))
  implementation(project(":resync-protocol"))
  implementation(libs.agrona)
  implementation(libs.allgood.consistent.hash)
  implementation(libs.couchbase.core.io)
  implementation(libs.druid.server)
  implementation(libs.folsom)
  implementation(libs.guava)
  implementation(libs.hash4j)
  implementation(libs.ignite.core)
  implementation(libs.jmh.core)
  implementation(libs.kafka.server.common)
  implementation(libs.netty.common)
  implementation(libs.spymemcached)
  implementation(libs.xmemcached)
  annotationProcessor(libs.jmh.processor)
}

// Its rendezvous hashing, the one class that is used, needs Guava and nothing else.
dependencies.components.withModule("org.apache.druid:druid-server") {
  allVariants { withDependencies { clear() } }
}
