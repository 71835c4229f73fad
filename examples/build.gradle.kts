plugins {
  application
}

description = "A cluster of timer nodes to watch, a timer service to copy from, and a tour of placement."

application {
  mainClass = "io.horae.examples.Examples"
}

dependencies {
  implementation(project(":placement-core"))
  implementation(project(":timer-wheel"))
  implementation(project(":resync-protocol"))
  implementation(project(":cluster-jgroups"))
  runtimeOnly(libs.slf4j.jdk14)
  // What the documents show.
  testImplementation(project(":metrics"))
  testImplementation(project(":testkit"))
  testImplementation(libs.micrometer)
}
