plugins {
  application
}

description = "A runnable tour of Horae."

application {
  mainClass = "io.horae.examples.PlacementTour"
}

dependencies {
  implementation(project(":placement-core"))
  testImplementation(project(":timer-wheel"))
}
