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
include("timer-wheel")
include("resync-protocol")
include("testkit")
include("metrics")
include("cluster-jgroups")
include("benchmarks")
include("examples")
include("horae-bom")
