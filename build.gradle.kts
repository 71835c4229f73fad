plugins {
  alias(libs.plugins.spotless)
}

allprojects {
  apply(plugin = "com.diffplug.spotless")

  spotless {
    java {
      target("src/*/java/**/*.java", ".ci/*.java")
      googleJavaFormat(libs.versions.google.java.format.get())
    }
  }
}

subprojects {
  plugins.withId("java") {
    dependencies {
      "annotationProcessor"(libs.errorprone)
      "annotationProcessor"(libs.nullaway)
      "testImplementation"(platform(libs.junit.bom))
      "testImplementation"(libs.junit.jupiter)
      "testImplementation"(libs.jqwik)
      "testRuntimeOnly"(libs.junit.launcher)
    }
    // Error Prone checks the tests too.
    configurations["testAnnotationProcessor"].extendsFrom(configurations["annotationProcessor"])

    // What the tests of all modules share.
    the<SourceSetContainer>()["test"].resources.srcDir(rootDir.resolve("config/test"))

    tasks.withType<JavaCompile>().configureEach {
      options.encoding = "UTF-8"
      options.release = 17
      options.isFork = true
      // Error Prone reaches into javac. Maven's compiler runs inside Maven's own JVM, hence the file.
      options.forkOptions.jvmArgs = rootDir.resolve(".mvn/jvm.config").readLines()
      options.compilerArgs.addAll(listOf(
        // "processing" complains of annotations without a processor, such as JSpecify's.
        "-Xlint:all,-processing",
        "-Werror",
        // Else Maven makes the missing ones itself, and the two builds' jars differ.
        "-Xpkginfo:always",
        // Error Prone asks for these two.
        "-XDcompilePolicy=simple",
        "--should-stop=ifError=FLOW",
      ))
    }
    tasks.named<JavaCompile>("compileJava") {
      // As Maven does; shown in stack traces.
      options.javaModuleVersion = provider { version.toString() }
      // Not NullAway's JSpecify mode: many a JDK 17 lacks what it needs of javac.
      options.compilerArgs.add(
        "-Xplugin:ErrorProne -XepExcludedPaths:.*/generated.* -Xep:NullAway:ERROR -XepOpt:NullAway:OnlyNullMarked=true"
      )
    }
    tasks.named<JavaCompile>("compileTestJava") {
      // Tests pass null on purpose.
      options.compilerArgs.add("-Xplugin:ErrorProne -XepExcludedPaths:.*/generated.* -Xep:NullAway:OFF")
      // jqwik names the parameters of a failing try.
      options.compilerArgs.add("-parameters")
    }

    tasks.withType<Test>().configureEach {
      useJUnitPlatform()
      // The same as in pom.xml: else the tests within tests of the testkit count, too.
      include("**/*Test.class", "**/*Properties.class")
    }

    tasks.withType<Javadoc>().configureEach {
      (options as StandardJavadocDocletOptions).apply {
        encoding = "UTF-8"
        addBooleanOption("Xdoclint:all", true)
        addBooleanOption("Xwerror", true)
      }
    }

    // The same bytes on every build and every machine.
    tasks.withType<AbstractArchiveTask>().configureEach {
      isPreserveFileTimestamps = false
      isReproducibleFileOrder = true
      filePermissions { unix("rw-r--r--") }
      dirPermissions { unix("rwxr-xr-x") }
    }

    tasks.withType<Jar>().configureEach {
      metaInf.from(rootDir.resolve("LICENSE"))
    }
  }

  // A module that applies maven-publish is a library; the others stay at home.
  plugins.withId("maven-publish") {
    plugins.withId("java") {
      configure<JavaPluginExtension> {
        withSourcesJar()
        withJavadocJar()
      }
    }

    configure<PublishingExtension> {
      repositories.maven(rootProject.layout.buildDirectory.dir("repo")) {
        name = "build"
      }
      publications.create<MavenPublication>("library") {
        from(components.findByName("java") ?: components["javaPlatform"])
        pom {
          name = "Horae ${project.name}"
          description = provider { project.description }
          url = "https://github.com/horae-java/horae"
          licenses {
            license {
              name = "Apache-2.0"
              url = "https://www.apache.org/licenses/LICENSE-2.0.txt"
            }
          }
          developers {
            developer {
              name = "The Horae authors"
            }
          }
          scm {
            connection = "scm:git:https://github.com/horae-java/horae.git"
            developerConnection = "scm:git:ssh://git@github.com/horae-java/horae.git"
            url = "https://github.com/horae-java/horae"
          }
        }
      }
    }
  }
}
