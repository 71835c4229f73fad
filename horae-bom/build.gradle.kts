plugins {
  `java-platform`
  `maven-publish`
}

description = "The versions of Horae's modules that belong together."

dependencies.constraints {
  api(project(":placement-core"))
  api(project(":timer-wheel"))
  api(project(":resync-protocol"))
  api(project(":testkit"))
  api(project(":metrics"))
  api(project(":cluster-jgroups"))
}
