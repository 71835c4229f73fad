plugins {
  application
}

description = "JMH benchmarks of Horae beside its peers."

application {
  mainClass = providers.gradleProperty("mainClass").orElse("org.openjdk.jmh.Main")
}

dependencies {
  implementation(project(":placement-core"))
  implementation(project(":timer-wheel"))
  implementation(libs.agrona)
  implementation(libs.guava)
  implementation(libs.jmh.core)
  implementation(libs.kafka.server.common)
  implementation(libs.netty.common)
  annotationProcessor(libs.jmh.processor)
}
