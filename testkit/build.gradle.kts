plugins {
  `java-library`
  `maven-publish`
}

description =
  "Breaks clusters on purpose: a deterministic simulator, and contract tests for what a host implements."

dependencies {
  api(project(":resync-protocol"))
  api(libs.jspecify)
  // The contract tests are library code here.
  api(libs.junit.api)
  // To run contract tests that are to fail.
  testImplementation(libs.junit.launcher)
}

tasks.test {
  // -Dhorae.seeds=100000 and the like; Maven passes them on by itself.
  systemProperties(providers.systemPropertiesPrefixedBy("horae.").get())
}
