// A foreign project, built from what is published:
//   gradle -p consumer check -Phorae.repository=…
// "main" is compiled and run on the module path, "classPath" on the class path.

plugins {
  java
}

val horae = listOf("placement-core", "timer-wheel", "resync-protocol", "metrics", "cluster-jgroups")
val versions = rootDir.resolve("pom.xml").readText()
fun version(of: String) = Regex("<$of.version>(.+)</$of.version>").find(versions)!!.groupValues[1]

dependencies {
  implementation(platform("io.horae:horae-bom:${version("horae")}"))
  horae.forEach { implementation("io.horae:$it") }
  implementation("io.micrometer:micrometer-core:${version("micrometer")}")
  testImplementation("io.horae:testkit")
  testImplementation("org.junit.jupiter:junit-jupiter:${version("junit")}")
  testRuntimeOnly("org.junit.platform:junit-platform-launcher")
}

sourceSets.main {
  java.srcDir("src/main/module")
}
val classPath = sourceSets.create("classPath") {
  java.srcDir("src/main/java")
}
configurations[classPath.implementationConfigurationName]
  .extendsFrom(configurations.implementation.get())

tasks.withType<JavaCompile>().configureEach {
  options.release = 17
  options.compilerArgs.addAll(listOf("-Xlint:all,-processing,-requires-automatic", "-Werror"))
}

tasks.test {
  useJUnitPlatform()
}

val runOnModulePath = tasks.register<JavaExec>("runOnModulePath") {
  mainModule = "com.example.reminders"
  mainClass = "com.example.reminders.Reminders"
  classpath = sourceSets.main.get().runtimeClasspath
}

val runOnClassPath = tasks.register<JavaExec>("runOnClassPath") {
  mainClass = "com.example.reminders.Reminders"
  classpath = classPath.runtimeClasspath
}

/** What each artifact brings to those who use it: a line "artifact: group:artifact …" for each. */
val listDependencies = tasks.register("listDependencies") {
  val lists = (horae + "testkit").associateWith { artifact ->
    listOf(Usage.JAVA_API, Usage.JAVA_RUNTIME).map { usage ->
      val alone = configurations.create("$artifact-$usage") {
        attributes.attribute(Usage.USAGE_ATTRIBUTE, objects.named(usage))
      }
      dependencies.add(alone.name, dependencies.platform("io.horae:horae-bom:${version("horae")}"))
      dependencies.add(alone.name, "io.horae:$artifact")
      alone.incoming.artifacts.resolvedArtifacts
    }
  }
  val file = layout.buildDirectory.file("dependencies.txt")
  outputs.file(file)
  outputs.upToDateWhen { false }
  doLast {
    file.get().asFile.writeText(lists.map { (artifact, resolved) ->
      resolved.flatMap { it.get() }
        .map { it.id.componentIdentifier as ModuleComponentIdentifier }
        .map { "${it.group}:${it.module}" }
        .filter { it != "io.horae:$artifact" }
        .toSortedSet()
        .joinToString(" ", "$artifact: ", "\n")
    }.joinToString(""))
  }
}

tasks.check {
  dependsOn(runOnModulePath, runOnClassPath, listDependencies)
}
