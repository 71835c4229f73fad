plugins {
  `java-library`
  `maven-publish`
}

description = "What Horae does, as Micrometer's meters and as events for JDK Flight Recorder."

dependencies {
  api(project(":resync-protocol"))
  api(libs.jspecify)
  // Whoever binds meters has it; for the events it takes nothing.
  compileOnly(libs.micrometer)
}

configurations.testImplementation {
  extendsFrom(configurations.compileOnly.get())
}
