plugins {
  `java-library`
  `maven-publish`
}

description = "Membership and transport of replicated timers on JGroups."

dependencies {
  api(project(":resync-protocol"))
  api(libs.jgroups)
  api(libs.jspecify)
  api(libs.slf4j.api)
  testImplementation(project(":testkit"))
}

tasks.test {
  // -Dhorae.long=true and the like; Maven passes them on by itself.
  systemProperties(providers.systemPropertiesPrefixedBy("horae.").get())
}
