plugins {
  `java-library`
  `maven-publish`
}

description =
  "Where does this key live? Rendezvous hashing with weights, zones and the least movement."

dependencies {
  api(libs.jspecify)
  testImplementation(libs.spymemcached)
}
