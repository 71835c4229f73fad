import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Looks at what the builds publish, from the root of the project. What is published, and what comes
 * with each artifact, stands in the table of modules in README.md.
 *
 * <p>{@code jars REPOSITORY} checks what is in the artifacts; {@code same-bytes ROOT} compares the
 * jars that Maven built here with those that it built from a copy; {@code dependencies maven TREE}
 * and {@code dependencies gradle LIST} check that a consumer gets what the table says, no more and
 * no less.
 */
final class Published {

  private static final String GROUP = "io.horae";
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern TREE_LINE =
      Pattern.compile("^((?:[|+\\\\ -]{3})*)\\(?([\\w.-]+:[\\w.-]+):jar:\\S+.*$");

  private final List<String> problems = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    Published published = new Published();
    switch (String.join(" ", Arrays.copyOf(args, args.length - 1))) {
      case "jars" -> published.jars(Path.of(args[1]));
      case "same-bytes" -> published.sameBytes(Path.of(args[1]));
      case "dependencies maven" -> published.dependencies(mavens(Path.of(args[2])));
      case "dependencies gradle" -> published.dependencies(gradles(Path.of(args[2])));
      default -> throw new IllegalArgumentException("not a command: " + List.of(args));
    }
    published.problems.forEach(System.out::println);
    System.exit(published.problems.isEmpty() ? 0 : 1);
  }

  // What is documented.

  /** What the table of modules says, by artifact: "group:artifact" of all that comes with it. */
  private static SortedMap<String, SortedSet<String>> documented() throws IOException {
    SortedMap<String, SortedSet<String>> documented = new TreeMap<>();
    Files.readAllLines(Path.of("README.md")).stream()
        .dropWhile(line -> !line.startsWith("| module "))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> line.split(" *\\| *", -1))
        .filter(cells -> !cells[3].equals("not published"))
        .forEach(cells -> documented.put(codes(cells[1]).get(0), new TreeSet<>(codes(cells[3]))));
    // The table says of Horae's own modules only their names, and not again what these bring.
    SortedMap<String, SortedSet<String>> all = new TreeMap<>();
    for (String artifact : documented.keySet()) {
      SortedSet<String> brought = new TreeSet<>();
      Deque<String> open = new ArrayDeque<>(documented.get(artifact));
      while (!open.isEmpty()) {
        String next = open.remove();
        if (documented.containsKey(next)) {
          open.addAll(documented.get(next));
        }
        brought.add(next.contains(":") ? next : GROUP + ":" + next);
      }
      all.put(artifact, brought);
    }
    return all;
  }

  private static List<String> codes(String cell) {
    return CODE.matcher(cell).results().map(code -> code.group(1)).toList();
  }

  // What comes with an artifact.

  private void dependencies(Map<String, SortedSet<String>> resolved) throws IOException {
    for (Map.Entry<String, SortedSet<String>> entry : documented().entrySet()) {
      SortedSet<String> found = resolved.get(entry.getKey());
      if (found == null) {
        if (!entry.getKey().endsWith("-bom")) {
          problems.add(entry.getKey() + " is not used by the consumer");
        }
      } else if (!found.equals(entry.getValue())) {
        problems.add(
            String.format(
                "with %s come %s, but documented is %s", entry.getKey(), found, entry.getValue()));
      } else {
        System.out.printf("%s: %s%n", entry.getKey(), String.join(", ", found));
      }
    }
  }

  /** Lines of "artifact: group:artifact …". */
  private static Map<String, SortedSet<String>> gradles(Path list) throws IOException {
    return Files.readAllLines(list).stream()
        .map(line -> line.split(":? "))
        .collect(
            Collectors.toMap(
                words -> words[0],
                words -> new TreeSet<>(Arrays.asList(words).subList(1, words.length))));
  }

  /**
   * A tree of dependencies in which each appears wherever something needs it. One that is there
   * twice has its own only once.
   */
  private static Map<String, SortedSet<String>> mavens(Path tree) throws IOException {
    Map<String, SortedSet<String>> edges = new TreeMap<>();
    List<String> above = new ArrayList<>();
    for (String line : Files.readAllLines(tree)) {
      Matcher parts = TREE_LINE.matcher(line);
      if (!parts.matches()) {
        throw new IOException(tree + ": cannot read this line: " + line);
      }
      int depth = parts.group(1).length() / 3;
      above.subList(Math.min(depth, above.size()), above.size()).clear();
      above.add(parts.group(2));
      if (depth > 0) {
        edges.computeIfAbsent(above.get(depth - 1), none -> new TreeSet<>()).add(parts.group(2));
      }
    }
    Map<String, SortedSet<String>> resolved = new TreeMap<>();
    for (String direct : edges.get(above.get(0))) {
      if (direct.startsWith(GROUP + ":")) {
        SortedSet<String> reached = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(direct));
        while (!open.isEmpty()) {
          for (String next : edges.getOrDefault(open.remove(), new TreeSet<>())) {
            if (reached.add(next)) {
              open.add(next);
            }
          }
        }
        resolved.put(direct.substring(GROUP.length() + 1), reached);
      }
    }
    return resolved;
  }

  // What is in the artifacts.

  private void jars(Path repository) throws IOException {
    Path group = repository.resolve(GROUP.replace('.', '/'));
    SortedSet<String> expected = new TreeSet<>(documented().keySet());
    SortedSet<String> present = new TreeSet<>();
    try (Stream<Path> directories = Files.list(group)) {
      directories.map(directory -> directory.getFileName().toString()).forEach(present::add);
    }
    present.remove("horae-parent");
    if (!present.equals(expected)) {
      problems.add("published are " + present + ", but documented " + expected);
    }
    Map<String, String> packages = new TreeMap<>();
    for (String artifact : present) {
      if (!artifact.endsWith("-bom")) {
        check(files(group.resolve(artifact)), artifact, packages);
      }
    }
    System.out.printf("%d artifacts, %d packages%n", present.size(), packages.size());
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private void check(List<Path> files, String artifact, Map<String, String> packages)
      throws IOException {
    check(jar(files, "-sources.jar", artifact), List.of("META-INF/LICENSE", "module-info.java"));
    check(jar(files, "-javadoc.jar", artifact), List.of("index.html", "element-list"));
    JarFile jar = jar(files, "[0-9T].jar", artifact);
    check(jar, List.of("META-INF/LICENSE", "META-INF/MANIFEST.MF", "module-info.class"));
    if (jar == null) {
      return;
    }
    SortedSet<String> own = new TreeSet<>();
    for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
      String name = entry.getName();
      if (name.endsWith(".class") && name.contains("/")) {
        own.add(name.substring(0, name.lastIndexOf('/')).replace('/', '.'));
      }
      if (name.endsWith("Test.class") || name.endsWith("Properties.class")) {
        problems.add(jar.getName() + " has a test in it: " + name);
      }
    }
    for (String name : own) {
      String other = packages.put(name, artifact);
      if (other != null) {
        problems.add("package " + name + " is in " + other + " and in " + artifact);
      }
    }
    JarEntry descriptor = jar.getJarEntry("module-info.class");
    if (descriptor != null) {
      try (InputStream in = jar.getInputStream(descriptor)) {
        ModuleDescriptor module = ModuleDescriptor.read(in);
        SortedSet<String> exported = new TreeSet<>();
        module.exports().forEach(exports -> exported.add(exports.source()));
        if (!exported.contains(module.name()) || !own.containsAll(exported)) {
          problems.add(artifact + " is module " + module.name() + " and exports " + exported);
        }
      }
    }
  }

  private void check(JarFile jar, List<String> entries) {
    for (String entry : jar == null ? List.<String>of() : entries) {
      if (jar.getEntry(entry) == null) {
        problems.add(jar.getName() + " has no " + entry);
      }
    }
  }

  private JarFile jar(List<Path> files, String ending, String artifact) throws IOException {
    Pattern name = Pattern.compile(".*" + ending.replace(".", "\\."));
    for (Path file : files) {
      if (name.matcher(file.getFileName().toString()).matches()) {
        return new JarFile(file.toFile());
      }
    }
    problems.add(artifact + " has no file *" + ending);
    return null;
  }

  // Built twice.

  private void sameBytes(Path copy) throws IOException {
    int compared = 0;
    for (Path jar : builtBy(copy)) {
      Path here = copy.relativize(jar);
      compared++;
      if (Files.notExists(here)) {
        problems.add(here + " is missing: is there a build to compare with?");
      } else if (Files.mismatch(jar, here) >= 0) {
        problems.add(here + " differs from build to build" + firstDifference(jar, here));
      }
    }
    if (compared == 0) {
      problems.add("no jars in " + copy);
    }
    System.out.println(compared + " jars compared");
  }

  private static List<Path> builtBy(Path root) throws IOException {
    try (Stream<Path> files = Files.find(root, 3, (file, is) -> isBuilt(root.relativize(file)))) {
      return files.sorted().toList();
    }
  }

  private static boolean isBuilt(Path file) {
    return file.getNameCount() == 3
        && file.getName(1).toString().equals("target")
        && file.toString().endsWith(".jar");
  }

  private static String firstDifference(Path left, Path right) throws IOException {
    try (JarFile one = new JarFile(left.toFile());
        JarFile other = new JarFile(right.toFile())) {
      for (JarEntry entry : (Iterable<JarEntry>) one.stream()::iterator) {
        JarEntry same = other.getJarEntry(entry.getName());
        if (same == null || same.getCrc() != entry.getCrc()) {
          return ", first in " + entry.getName();
        }
      }
    }
    return "";
  }
}
