import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Checks that the Maven and the Gradle build say the same: {@code java .ci/BuildsAgree.java}.
 *
 * <p>Each build is read into facts: a subject ("version junit"), what the build says of it
 * ("5.14.4"), and where. A subject of which the two do not say the same is a difference.
 *
 * <p>Gradle's files are read as text. So each dependency has a line of its own in a {@code
 * dependencies} block, as {@code libs.x} or {@code project(":x")}; a line there that cannot be read
 * is an error, never overlooked. {@code --self-test} breaks copies of the build files, one way at a
 * time, and checks that each break is reported.
 */
final class BuildsAgree {
  record Fact(String value, String place) {}

  private static final XPath XPATH = XPathFactory.newInstance().newXPath();
  private static final String CATALOG = "gradle/libs.versions.toml";
  private static final Pattern GRADLE_DEPENDENCY =
      Pattern.compile(
          "\"?(\\w+)\"?\\((platform\\()?(?:libs\\.([\\w.]+)|project\\(\":(.+)\"\\))\\)+");

  private final Path root;
  private final SortedMap<String, Fact> maven = new TreeMap<>();
  private final SortedMap<String, Fact> gradle = new TreeMap<>();

  /** By "${property}" and by "group:artifact". */
  private final Map<String, String> mavenVersions = new HashMap<>();

  private final TreeSet<String> files = new TreeSet<>();

  private BuildsAgree(Path root) throws Exception {
    this.root = root;
    readMaven();
    readGradle();
  }

  public static void main(String[] args) throws Exception {
    Path root = Path.of("");
    if (args.length > 0 && args[0].equals("--self-test")) {
      System.exit(selfTest(root) ? 0 : 1);
    }
    BuildsAgree builds = new BuildsAgree(root);
    List<String> differences = builds.differences();
    differences.forEach(System.out::println);
    if (!differences.isEmpty()) {
      System.exit(1);
    }
    System.out.printf(
        "builds agree: %d modules, %d versions, %d dependencies%n",
        builds.count("module "), builds.count("version "), builds.count("dependency "));
  }

  private List<String> differences() {
    TreeSet<String> subjects = new TreeSet<>(maven.keySet());
    subjects.addAll(gradle.keySet());
    List<String> differences = new ArrayList<>();
    for (String subject : subjects) {
      Fact left = maven.getOrDefault(subject, new Fact("missing", "the Maven build"));
      Fact right = gradle.getOrDefault(subject, new Fact("missing", "the Gradle build"));
      if (!left.value.equals(right.value)) {
        differences.add(
            String.format(
                "%s: %s in %s, but %s in %s",
                subject, left.value, left.place, right.value, right.place));
      }
    }
    return differences;
  }

  private long count(String subject) {
    return maven.keySet().stream().filter(key -> key.startsWith(subject)).count();
  }

  private static String dependency(String module, String id) {
    return "dependency of " + (module.isEmpty() ? "all modules" : module) + " on " + id;
  }

  private static String constraint(String module, String id) {
    return "constraint of " + module + " on " + id;
  }

  // Maven

  private void readMaven() throws Exception {
    String file = "pom.xml";
    Node pom = parse(file);
    maven.put("project group", new Fact(text(pom, "groupId"), file));
    maven.put("project version", new Fact(text(pom, "version"), file));
    maven.put("javac release", new Fact(text(pom, "//release"), file));
    mavenVersions.put("${project.version}", text(pom, "version"));
    for (Node property : nodes(pom, "properties/*[contains(name(), '.version')]")) {
      String name = property.getNodeName().replace(".version", "");
      maven.put("version " + name, new Fact(property.getTextContent(), file));
      mavenVersions.put("${" + property.getNodeName() + "}", property.getTextContent());
    }
    for (Node flag : nodes(pom, "//compilerArgs/arg")) {
      String execution = text(flag, "ancestor::execution/id");
      String sources = execution.isEmpty() ? "all" : execution.replace("default-", "");
      maven.put("javac flag " + flag.getTextContent(), new Fact(sources, file));
    }
    for (Node managed : nodes(pom, "dependencyManagement/dependencies/dependency")) {
      mavenVersions.put(id(managed), version(managed));
      if (text(managed, "scope").equals("import")) {
        maven.put(dependency("", id(managed)), new Fact("import " + version(managed), file));
      }
    }
    readMavenDependencies("", pom, file);
    for (Node module : nodes(pom, "modules/module")) {
      readMavenModule(module.getTextContent());
    }
  }

  private void readMavenModule(String name) throws Exception {
    String file = name + "/pom.xml";
    Node pom = parse(file);
    boolean published = text(pom, "properties/maven.deploy.skip").isEmpty();
    maven.put("module " + name, new Fact(published ? "published" : "unpublished", file));
    maven.put("description of " + name, new Fact(text(pom, "description"), file));
    readMavenDependencies(name, pom, file);
    if (text(pom, "packaging").equals("pom")) {
      maven.put("version of " + name, new Fact(text(pom, "version"), file));
      for (Node managed : nodes(pom, "dependencyManagement/dependencies/dependency")) {
        maven.put(constraint(name, id(managed)), new Fact(version(managed), file));
      }
    }
  }

  private void readMavenDependencies(String module, Node pom, String file) throws Exception {
    for (Node node : nodes(pom, "dependencies/dependency | build//annotationProcessorPaths/path")) {
      String scope = node.getNodeName().equals("path") ? "processor" : text(node, "scope");
      scope = text(node, "optional").equals("true") ? "optional" : scope;
      String value = (scope.isEmpty() ? "compile" : scope) + " " + version(node);
      maven.put(dependency(module, id(node)), new Fact(value.strip(), file));
    }
  }

  /** Empty where a BOM gives the version. */
  private String version(Node dependency) throws Exception {
    String version = text(dependency, "version");
    return mavenVersions.getOrDefault(version.isEmpty() ? id(dependency) : version, version);
  }

  private static String id(Node dependency) throws Exception {
    return text(dependency, "groupId") + ":" + text(dependency, "artifactId");
  }

  private Node parse(String file) throws Exception {
    files.add(file);
    var builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    return builder.parse(root.resolve(file).toFile()).getDocumentElement();
  }

  private static String text(Node from, String path) throws Exception {
    return XPATH.evaluate(path, from).strip();
  }

  private static List<Node> nodes(Node from, String path) throws Exception {
    NodeList found = (NodeList) XPATH.evaluate(path, from, XPathConstants.NODESET);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      nodes.add(found.item(i));
    }
    return nodes;
  }

  // Gradle

  private void readGradle() throws IOException {
    String file = "gradle.properties";
    gradle.put("project group", new Fact(first(file, "^group=(.+)"), file));
    gradle.put("project version", new Fact(first(file, "^version=(.+)"), file));
    for (MatchResult version : matches(CATALOG, "^([\\w-]+) = \"(.+)\"")) {
      gradle.put("version " + version.group(1), new Fact(version.group(2), CATALOG));
    }
    file = "build.gradle.kts";
    gradle.put("javac release", new Fact(first(file, "options\\.release = (\\d+)"), file));
    String sources = "all";
    // A flag stands below the name of the task it is for.
    for (MatchResult match : matches(file, "<JavaCompile>\\((?:\"(.+)Java\")?\\)|\"(-.+)\"")) {
      if (match.group(2) != null) {
        gradle.put("javac flag " + match.group(2), new Fact(sources, file));
      } else {
        sources =
            match.group(1) == null ? "all" : match.group(1).replace("compileTest", "testCompile");
      }
    }
    readGradleDependencies("", file, false);
    for (MatchResult module : matches("settings.gradle.kts", "^include\\(\"(.+)\"\\)")) {
      readGradleModule(module.group(1));
    }
  }

  private void readGradleModule(String name) throws IOException {
    String file = name + "/build.gradle.kts";
    boolean published = !matches(file, "`maven-publish`").isEmpty();
    gradle.put("module " + name, new Fact(published ? "published" : "unpublished", file));
    String description = first(file, "^description =\\s+\"(.+)\"");
    gradle.put("description of " + name, new Fact(description, file));
    readGradleDependencies(name, file, published);
    if (!matches(file, "`java-platform`").isEmpty()) {
      Fact version = gradle.get("project version");
      gradle.put("version of " + name, version);
      String group = gradle.get("project group").value;
      for (MatchResult module : matches(file, "^  api\\(project\\(\":(.+)\"\\)\\)")) {
        gradle.put(constraint(name, group + ":" + module.group(1)), new Fact(version.value, file));
      }
    }
  }

  private void readGradleDependencies(String module, String file, boolean published)
      throws IOException {
    for (MatchResult block : matches(file, "dependencies \\{\\s+([^}]+?)\\s+}")) {
      for (String line : block.group(1).split("\\s*\n\\s*")) {
        if (!line.startsWith("//")) {
          readGradleDependency(module, line, file, published);
        }
      }
    }
  }

  private void readGradleDependency(String module, String line, String file, boolean published)
      throws IOException {
    Matcher parts = GRADLE_DEPENDENCY.matcher(line);
    if (!parts.matches()) {
      throw new IOException(file + ": cannot read this dependency: " + line);
    }
    String scope = parts.group(2) != null ? "import" : scope(parts.group(1), published);
    String id = gradle.get("project group").value + ":" + parts.group(4);
    String version = gradle.get("project version").value;
    if (parts.group(3) != null) {
      String entry = "^" + parts.group(3).replace('.', '-') + " = \\{ module = ";
      id = first(CATALOG, entry + "\"(.+?)\"");
      String name = first(CATALOG, entry + ".*version\\.ref = \"(.+)\"");
      version = gradle.getOrDefault("version " + name, new Fact("", CATALOG)).value;
    }
    gradle.put(dependency(module, id), new Fact((scope + " " + version).strip(), file));
  }

  /** In Maven's words. What a published module compiles with, its POM gives to its users. */
  private static String scope(String configuration, boolean published) {
    if (configuration.equals(published ? "api" : "implementation")) {
      return "compile";
    }
    return switch (configuration) {
      case "annotationProcessor" -> "processor";
      case "compileOnly" -> "optional";
      case "runtimeOnly" -> "runtime";
      case "testImplementation", "testRuntimeOnly" -> "test";
      default -> configuration;
    };
  }

  private List<MatchResult> matches(String file, String regex) throws IOException {
    files.add(file);
    String text = Files.readString(root.resolve(file));
    return Pattern.compile(regex, Pattern.MULTILINE).matcher(text).results().toList();
  }

  private String first(String file, String regex) throws IOException {
    return matches(file, regex).stream().map(match -> match.group(1)).findFirst().orElse("missing");
  }

  // Self-test

  /** File | what to replace | by what | how the report must begin. */
  private static final String DRIFTS =
      """
      pom.xml | <module>examples</module> | | module examples: missing
      settings.gradle.kts | include("examples") | | module examples: unpublished
      placement-core/build.gradle.kts | `maven-publish` | | module placement-core: published
      gradle.properties | version= | version=1 | project version: 0
      pom.xml | <jqwik.version> | <jqwik.version>1 | version jqwik: 1
      gradle/libs.versions.toml | guava = " | guava = "1 | version guava: 3
      pom.xml | <arg>-Werror</arg> | | javac flag -Werror: missing
      build.gradle.kts | "-parameters" | | javac flag -parameters: testCompile
      build.gradle.kts | release = 17 | release = 21 | javac release: 17
      examples/pom.xml | <artifactId>placement-core< | <artifactId>x< | dependency of examples on io
      benchmarks/build.gradle.kts | implementation(libs.guava) | | dependency of benchmarks on com
      benchmarks/pom.xml | annprocess< | x< | dependency of benchmarks on org.openjdk.jmh:jmh-gen
      placement-core/build.gradle.kts | api( | implementation( | dependency of placement-core on org
      build.gradle.kts | "annotationProcessor"(libs.nullaway) | | dependency of all modules on com
      build.gradle.kts | testImplementation"(libs.jq | api"(libs.jq | dependency of all modules on net
      metrics/pom.xml | <optional>true</optional> | | dependency of metrics on io.micrometer
      horae-bom/pom.xml | >timer-wheel< | >x< | constraint of horae-bom on io.horae:timer-wheel
      horae-bom/pom.xml | 0.1.0 | 0.0.9 | version of horae-bom: 0.0.9
      pom.xml | <scope>test</scope> | | dependency of all modules on org.junit.jupiter
      """;

  private static boolean selfTest(Path root) throws Exception {
    Path copy = Files.createTempDirectory("builds-agree");
    copy.toFile().deleteOnExit();
    for (String file : new BuildsAgree(root).files) {
      Path target = copy.resolve(file);
      if (Files.notExists(target.getParent())) {
        Files.createDirectory(target.getParent()).toFile().deleteOnExit();
      }
      Files.copy(root.resolve(file), target).toFile().deleteOnExit();
    }
    int missed = 0;
    for (String drift : DRIFTS.lines().toList()) {
      String[] parts = drift.split(" *\\| *");
      Path file = copy.resolve(parts[0]);
      String text = Files.readString(file);
      Files.writeString(file, text.replace(parts[1], parts[2]));
      List<String> report = new BuildsAgree(copy).differences();
      Files.writeString(file, text);
      if (report.stream().noneMatch(line -> line.startsWith(parts[3]))) {
        System.out.println("not reported: " + drift);
        missed++;
      }
    }
    long drifts = DRIFTS.lines().count();
    System.out.printf("%d of %d drifts reported%n", drifts - missed, drifts);
    return missed == 0;
  }
}
