plugins {
  `java-library`
  `maven-publish`
}

description =
  "When is this timer due? A passive, hierarchical timer wheel without an object for a timer."

dependencies {
  api(libs.jspecify)
}
