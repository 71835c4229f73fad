import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/**
 * Opens the report of the demonstration in a browser without a window, light and dark: {@code java
 * .ci/ReportRenders.java chromium report.html}. The page forbids itself to load or run anything; a
 * browser that would have to, or that finds anything else amiss, says so on its console.
 */
final class ReportRenders {
  private static final int HEIGHT = 5_000;
  private static final int COLOURS_LEAST = 100;

  private final String browser;
  private final Path report;
  private final Path directory;
  private int passed;
  private int failed;

  private ReportRenders(String browser, Path report, Path directory) {
    this.browser = browser;
    this.report = report;
    this.directory = directory;
  }

  public static void main(String[] args) throws Exception {
    Path directory = Files.createTempDirectory("report");
    try {
      ReportRenders check =
          new ReportRenders(args[0], Path.of(args[1]).toAbsolutePath(), directory);
      check.content();
      check.pictures("light", "1");
      check.pictures("dark", "0");
      System.out.printf("%d passed, %d failed%n", check.passed, check.failed);
      System.exit(check.failed == 0 ? 0 : 1);
    } finally {
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      }
    }
  }

  private void content() throws Exception {
    Path page = directory.resolve("page.html");
    Path console = directory.resolve("page.log");
    open(page, console, "--dump-dom");
    String content = Files.readString(page);
    check("the page forbids itself the network", content.contains("default-src 'none'"));
    check("the page has its pictures", content.split("<svg", -1).length > 10);
    check("the page has its last line", content.contains("</footer>"));
    check("the browser has nothing to complain of", complaints(console).isEmpty());
    complaints(console).forEach(System.out::println);
  }

  /**
   * What was asked is drawn: many colours, on the paper that the scheme has, to the very bottom.
   */
  private void pictures(String scheme, String setting) throws Exception {
    Path picture = directory.resolve(scheme + ".png");
    Path console = directory.resolve(scheme + ".log");
    open(
        directory.resolve("out"),
        console,
        "--screenshot=" + picture,
        "--window-size=1200," + HEIGHT,
        "--hide-scrollbars",
        "--blink-settings=preferredColorScheme=" + setting);
    BufferedImage image = ImageIO.read(picture.toFile());
    check(scheme + ": top and bottom are drawn", colours(image, 0) && colours(image, HEIGHT / 2));
    int paper = image.getRGB(2, 2) & 0xff;
    check(scheme + ": the paper is " + scheme, scheme.equals("light") ? paper > 200 : paper < 60);
    check(scheme + ": nothing to complain of", complaints(console).isEmpty());
  }

  private static boolean colours(BufferedImage image, int from) {
    Set<Integer> colours = new HashSet<>();
    for (int y = from; y < Math.min(image.getHeight(), from + HEIGHT / 2); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        colours.add(image.getRGB(x, y));
      }
    }
    return colours.size() >= COLOURS_LEAST;
  }

  private static List<String> complaints(Path console) throws IOException {
    return Files.readAllLines(console).stream().filter(line -> line.contains("CONSOLE")).toList();
  }

  private void open(Path output, Path console, String... what) throws Exception {
    Path profile = Files.createTempDirectory(directory, "profile");
    List<String> command = new ArrayList<>(List.of(browser));
    command.addAll(
        List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--enable-logging=stderr",
            "--user-data-dir=" + profile));
    command.addAll(List.of(what));
    command.add(report.toUri().toString());
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(console.toFile())
            .start();
    if (!process.waitFor(90, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("the browser does not come to an end");
    }
  }

  private void check(String what, boolean holds) {
    System.out.println((holds ? "ok: " : "FAILED: ") + what);
    passed += holds ? 1 : 0;
    failed += holds ? 0 : 1;
  }
}
