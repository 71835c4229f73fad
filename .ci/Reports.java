import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Reads what the two builds left behind, from the root of the project.
 *
 * <p>{@code count maven} and {@code count gradle} print how many tests passed and how many failed;
 * {@code same-tests} and {@code same-classes} fail where the builds differ.
 */
final class Reports {
  private static final String MAVEN_TESTS = "target/surefire-reports";
  private static final String GRADLE_TESTS = "build/test-results/test";

  public static void main(String[] args) throws Exception {
    switch (String.join(" ", args)) {
      case "count maven" -> count(MAVEN_TESTS);
      case "count gradle" -> count(GRADLE_TESTS);
      case "same-tests" -> compare(tests(MAVEN_TESTS), tests(GRADLE_TESTS), "test classes");
      case "same-classes" -> compare(classes("target"), classes("build/libs"), "class files");
      default -> throw new IllegalArgumentException("not a command: " + List.of(args));
    }
  }

  private static void count(String directory) throws Exception {
    int passed = 0;
    int failed = 0;
    for (Element test : testCases(directory)) {
      if (has(test, "failure") || has(test, "error")) {
        failed++;
      } else if (!has(test, "skipped")) {
        passed++;
      }
    }
    System.out.println(passed + " " + failed);
  }

  /** How many tests each class has. Names of tests do not count: each build has its own. */
  private static SortedMap<String, String> tests(String directory) throws Exception {
    SortedMap<String, Long> counts =
        testCases(directory).stream()
            .map(test -> test.getAttribute("classname"))
            .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    SortedMap<String, String> tests = new TreeMap<>();
    counts.forEach((name, count) -> tests.put(name, count + " tests"));
    return tests;
  }

  /** What each class file in the jars of the modules holds. */
  private static SortedMap<String, String> classes(String directory) throws IOException {
    SortedMap<String, String> classes = new TreeMap<>();
    for (Path jar : inModules(directory, "*.jar")) {
      try (JarFile file = new JarFile(jar.toFile())) {
        for (JarEntry entry : (Iterable<JarEntry>) file.stream()::iterator) {
          if (entry.getName().endsWith(".class")) {
            String name = jar.getFileName() + "!" + entry.getName();
            try (InputStream in = file.getInputStream(entry)) {
              classes.put(name, content(entry.getName(), in));
            }
          }
        }
      }
    }
    return classes;
  }

  /** Builders add to a module-info, such as the version of the JDK: only what it says counts. */
  private static String content(String name, InputStream in) throws IOException {
    if (!name.equals("module-info.class")) {
      byte[] bytes = in.readAllBytes();
      return bytes.length + " bytes with hash " + Arrays.hashCode(bytes);
    }
    ModuleDescriptor module = ModuleDescriptor.read(in);
    TreeSet<String> requires = new TreeSet<>();
    for (Requires required : module.requires()) {
      requires.add(new TreeSet<>(required.modifiers()) + " " + required.name());
    }
    return String.join(
        " ",
        module.toNameAndVersion(),
        "requires " + requires,
        "exports " + new TreeSet<>(module.exports()),
        "opens " + new TreeSet<>(module.opens()),
        "uses " + new TreeSet<>(module.uses()),
        "provides " + new TreeSet<>(module.provides()));
  }

  private static void compare(
      SortedMap<String, String> maven, SortedMap<String, String> gradle, String things) {
    TreeSet<String> names = new TreeSet<>(maven.keySet());
    names.addAll(gradle.keySet());
    names.removeIf(name -> maven.getOrDefault(name, "").equals(gradle.get(name)));
    for (String name : names) {
      System.out.printf(
          "%s: %s in Maven, but %s in Gradle%n",
          name, maven.getOrDefault(name, "missing"), gradle.getOrDefault(name, "missing"));
    }
    if (!names.isEmpty() || maven.isEmpty()) {
      System.out.println("not the same " + things);
      System.exit(1);
    }
    System.out.println("the same " + maven.size() + " " + things + " in both builds");
  }

  private static List<Element> testCases(String directory) throws Exception {
    var builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    List<Element> cases = new ArrayList<>();
    for (Path report : inModules(directory, "TEST-*.xml")) {
      NodeList found = builder.parse(report.toFile()).getElementsByTagName("testcase");
      for (int i = 0; i < found.getLength(); i++) {
        cases.add((Element) found.item(i));
      }
    }
    return cases;
  }

  private static boolean has(Element test, String tag) {
    return test.getElementsByTagName(tag).getLength() > 0;
  }

  private static List<Path> inModules(String directory, String glob) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> modules =
        Files.newDirectoryStream(Path.of("."), Files::isDirectory)) {
      for (Path module : modules) {
        if (Files.isDirectory(module.resolve(directory))) {
          try (var files = Files.newDirectoryStream(module.resolve(directory), glob)) {
            files.forEach(found::add);
          }
        }
      }
    }
    return found;
  }
}
