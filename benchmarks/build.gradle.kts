plugins {
  application
}

description = "JMH benchmarks of Horae beside its peers."

application {
  mainClass = "org.openjdk.jmh.Main"
}

dependencies {
  implementation(project(":placement-core"))
  implementation(libs.guava)
  implementation(libs.jmh.core)
  annotationProcessor(libs.jmh.processor)
}
