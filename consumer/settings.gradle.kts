dependencyResolutionManagement {
  repositories {
    exclusiveContent {
      forRepository {
        maven(providers.gradleProperty("horae.repository").get())
      }
      filter {
        includeGroup("io.horae")
      }
    }
    mavenCentral()
  }
}

rootProject.name = "reminders"
