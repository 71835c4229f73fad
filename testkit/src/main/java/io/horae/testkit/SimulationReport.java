package io.horae.testkit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a run amounted to in which every promise was kept.
 *
 * @param seed its seed
 * @param simulatedMs how long it took on virtual time
 * @param events how many things happened
 * @param messages how many messages were sent
 * @param pops how many pops hosts were handed
 * @param judged how often each invariant had something to judge, by its name
 */
public record SimulationReport(
    long seed, long simulatedMs, long events, long messages, long pops, Map<String, Long> judged) {

  /**
   * Copies the map.
   *
   * @param seed its seed
   * @param simulatedMs how long it took on virtual time
   * @param events how many things happened
   * @param messages how many messages were sent
   * @param pops how many pops hosts were handed
   * @param judged how often each invariant had something to judge, by its name
   */
  public SimulationReport {
    judged = Collections.unmodifiableMap(new LinkedHashMap<>(judged));
  }
}
