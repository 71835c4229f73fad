plugins {
  `java-library`
  `maven-publish`
}

description =
  "How do timers get to their new home? A protocol without threads, sockets or clocks."

dependencies {
  api(project(":placement-core"))
  api(project(":timer-wheel"))
  api(libs.jspecify)
  api(libs.slf4j.api)
}
