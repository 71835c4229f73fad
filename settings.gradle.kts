pluginManagement {
  repositories {
    mavenCentral()
  }
}

dependencyResolutionManagement {
  repositories {
    mavenCentral()
  }
}

rootProject.name = "horae"

include("placement-core")
include("benchmarks")
include("examples")
