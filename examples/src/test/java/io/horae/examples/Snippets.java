package io.horae.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.regex.Pattern.MULTILINE;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The code in documents, compiled. A block is a whole type, or else statements, for which there are
 * the imports that most need. All are compiled at once, each in a package of its own.
 */
final class Snippets {

  private static final Pattern IMPORT = Pattern.compile("^import .*;\\n", MULTILINE);
  private static final Pattern TYPE =
      Pattern.compile("^(?:public )?(?:final )?(?:class|record|enum|interface) (\\w+)", MULTILINE);

  private final List<Source> sources = new ArrayList<>();
  private final Path classes;

  /** Compiles into an empty directory. */
  Snippets(Path classes) {
    this.classes = classes;
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String type, String text) {
      super(URI.create("string:///" + type.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Takes a block in, and returns the name of the class that it is or is wrapped in. */
  String add(Document document, Document.Block block) {
    String home = document.name().replaceFirst("\\.md$", "").replaceAll("\\W", "_");
    String pack = "snippets." + home.toLowerCase(Locale.ROOT) + ".block" + block.number();
    Matcher whole = TYPE.matcher(block.content());
    boolean isWhole = whole.find();
    String type = isWhole ? whole.group(1) : "Snippet";
    String code = block.given() + block.content();
    String body = IMPORT.matcher(code).replaceAll("");
    String text =
        """
        package %s;
        import io.horae.metrics.*;
        import io.horae.placement.*;
        import io.horae.resync.*;
        import io.horae.timer.*;
        import java.util.*;
        import java.util.concurrent.*;
        import java.util.concurrent.atomic.*;
        import java.util.function.*;
        import java.util.stream.*;
        %s
        """
            .formatted(
                pack,
                IMPORT
                    .matcher(code)
                    .results()
                    .map(MatchResult::group)
                    .collect(Collectors.joining()));
    String main = "class Snippet {\n  public static void main(String[] args) throws Exception {\n";
    text += isWhole ? body : main + body + "  }\n}\n";
    sources.add(new Source(pack + "." + type, text));
    return pack + "." + type;
  }

  /** Compiles what was taken in; returns what is wrong with it, if anything is. */
  Optional<String> compile() throws IOException {
    StringWriter problems = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8)) {
      List<String> options =
          List.of(
              "--release",
              "17",
              "-Xlint:all",
              "-Werror",
              "-proc:none",
              "-classpath",
              classPath(),
              "-d",
              classes.toString());
      Iterable<? extends JavaFileObject> units = sources;
      boolean compiles = compiler.getTask(problems, files, null, options, null, units).call();
      return compiles ? Optional.empty() : Optional.of(problems.toString());
    }
  }

  /** What the tests see, but not the examples themselves: readers do not have these. */
  private static String classPath() {
    List<Path> own = List.of(place(PlacementTour.class), place(Snippets.class));
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(place -> !own.contains(Path.of(place).toAbsolutePath()))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path place(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs the main method of a class, and returns what it printed. */
  String run(String type) throws Exception {
    URL[] places = {classes.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(places, getClass().getClassLoader())) {
      var main = loader.loadClass(type).getDeclaredMethod("main", String[].class);
      main.setAccessible(true);
      PrintStream out = System.out;
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      System.setOut(new PrintStream(printed, true, UTF_8));
      try {
        main.invoke(null, (Object) new String[0]);
      } finally {
        System.setOut(out);
      }
      return printed.toString(UTF_8).replace("\r\n", "\n");
    }
  }
}
