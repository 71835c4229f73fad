package io.horae.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Registers meters that read from snapshots. By itself a meter refers weakly to what it measures;
 * these hold it, so that nobody else need.
 *
 * @param <T> the snapshots
 */
final class Meters<T> {

  private final MeterRegistry registry;
  private final Iterable<Tag> tags;
  private final Supplier<T> snapshots;

  Meters(MeterRegistry registry, Iterable<Tag> tags, Supplier<T> snapshots) {
    this.registry = registry;
    this.tags = tags;
    this.snapshots = snapshots;
  }

  /** Keys and values of further tags in turn. */
  void gauge(String name, String about, ToDoubleFunction<T> value, String... more) {
    Gauge.builder(name, () -> value.applyAsDouble(snapshots.get()))
        .description(about)
        .tags(tags)
        .tags(more)
        .register(registry);
  }

  /** Of a value that never falls. */
  void counter(String name, String about, ToDoubleFunction<T> value, String... more) {
    Supplier<T> source = snapshots;
    FunctionCounter.builder(name, source, ignored -> value.applyAsDouble(source.get()))
        .description(about)
        .tags(Tags.of(tags).and(more))
        .register(registry);
  }

  static <T> T present(@Nullable T value, String what) {
    if (value == null) {
      throw new IllegalArgumentException(what + " must not be null");
    }
    return value;
  }
}
