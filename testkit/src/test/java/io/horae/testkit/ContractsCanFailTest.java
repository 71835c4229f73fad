package io.horae.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Each contract test notices what it is there for. */
class ContractsCanFailTest {

  /** What is broken, and one of the tests that must say so. */
  private static final Map<Class<?>, String> NOTICED_BY =
      Map.ofEntries(
          Map.entry(BrokenImplementations.KeepsTheFirstRecord.class, "put_again_replaces()"),
          Map.entry(
              BrokenImplementations.ForgetsWhatItHandsOver.class,
              "due_handlerThrows_losesNothing()"),
          Map.entry(
              BrokenImplementations.PagesByTimeAlone.class,
              "scan_whileOthersChange_readsWhatStays()"),
          Map.entry(BrokenImplementations.IgnoresTheLimit.class, "due_keepsTheLimit()"),
          Map.entry(BrokenImplementations.KeepsNoTombstones.class, "put_tombstone_isKept()"),
          Map.entry(BrokenImplementations.HandsOverEarly.class, "due_handsOverInOrderOfTime()"),
          Map.entry(BrokenImplementations.ForgetsToLookAtItsInput.class, "badInput_isRefused()"),
          Map.entry(BrokenImplementations.LeavesSomebodyOut.class, "primary_leavesNobodyOut()"),
          Map.entry(BrokenImplementations.SpoilsTheSeeds.class, "hashAll_agreesWithHash()"),
          Map.entry(BrokenImplementations.LiesAboutItself.class, "injectiveInSeed_isTrue()"),
          Map.entry(
              BrokenImplementations.RefusesLargeMessages.class, "send_aLargeMessage_arrives()"),
          Map.entry(BrokenImplementations.HandsOverWhatWasDue.class, "due_handlerTouchesOthers()"),
          Map.entry(BrokenImplementations.KeepsHalfOfTheTime.class, "due_takesTimesFarApart()"),
          Map.entry(BrokenImplementations.FindsNoNegativeIds.class, "find_returnsWhatWasPut()"),
          Map.entry(BrokenImplementations.IsAlwaysDue.class, "newStore_isEmpty()"),
          Map.entry(BrokenImplementations.RemovesWhatIsNotThere.class, "remove_forgets()"),
          Map.entry(BrokenImplementations.TurnsItsNodesRound.class, "nodes_areThoseGiven()"),
          Map.entry(BrokenImplementations.LetsItsNodesBeChanged.class, "nodes_cannotBeChanged()"),
          Map.entry(
              BrokenImplementations.DependsOnTheThread.class,
              "replicas_ofManyThreads_areTheSame()"),
          Map.entry(BrokenImplementations.CountsItsCalls.class, "hash_isAPureFunction()"),
          Map.entry(BrokenImplementations.HashesByThread.class, "hash_ofManyThreads_isTheSame()"),
          Map.entry(BrokenImplementations.IsNeverNegative.class, "hash_usesAllBits()"),
          Map.entry(BrokenImplementations.DeliversInParallel.class, "receive_oneAtATime()"),
          Map.entry(BrokenImplementations.NamesOneNodeTwice.class, "replicas_areDistinctMembers()"),
          Map.entry(BrokenImplementations.OrdersByCount.class, "replicas_fewerAreTheFirstOfMore()"),
          Map.entry(
              BrokenImplementations.DependsOnTheProcess.class, "replicas_areTheSameEverywhere()"),
          Map.entry(BrokenImplementations.Checksum.class, "hash_underTwoSeeds_differsByKey()"),
          Map.entry(BrokenImplementations.AddsTheSeed.class, "hash_dependsOnEveryBitOfTheSeed()"),
          Map.entry(
              BrokenImplementations.HashesNumbersBackwards.class,
              "hash_ofNumber_isThatOfItsBytes()"),
          Map.entry(
              BrokenImplementations.AnswersAtOnce.class, "send_returnsBeforeAnAnswerArrives()"),
          Map.entry(BrokenImplementations.TellsEverybody.class, "send_reachesTheAddresseeOnly()"),
          Map.entry(BrokenImplementations.DropsThePayload.class, "send_everyKind_arrives()"),
          Map.entry(
              BrokenImplementations.ThrowsAtUnknownNodes.class,
              "send_toUnknownOrClosedNode_isHarmless()"),
          Map.entry(BrokenItemStores.IsNeverEmpty.class, "newStore_isEmpty()"),
          Map.entry(BrokenItemStores.DropsTheVersion.class, "find_returnsWhatWasPut()"),
          Map.entry(
              BrokenItemStores.KnowsItemsByHash.class, "find_anotherKeyOfThatHash_isAnotherItem()"),
          Map.entry(BrokenItemStores.KeepsTheLaterVersion.class, "put_again_replaces()"),
          Map.entry(BrokenItemStores.RemovesAllOfAHash.class, "remove_forgetsThatOne()"),
          Map.entry(BrokenItemStores.KnowsNoDeepBuckets.class, "items_areThoseOfTheBucket()"),
          Map.entry(BrokenItemStores.ReturnsAllAtOnce.class, "items_keepTheLimit()"),
          Map.entry(
              BrokenItemStores.SkipsOneOnEachPage.class, "items_inPagesOfAnySize_areEachOnce()"),
          Map.entry(
              BrokenItemStores.LosesItsPlaceWhenAnItemGoes.class,
              "items_whileOthersComeAndGo_meetWhatStays()"),
          Map.entry(
              BrokenItemStores.OrdersByVersion.class, "items_whileTheyAreWritten_areMetOnce()"),
          Map.entry(
              BrokenItemStores.ForgetsTheDigitOnly.class,
              "forget_removesTheBucketAndNothingElse()"),
          Map.entry(BrokenItemStores.TakesNoMore.class, "randomCalls_agreeWithAMap()"));

  @TestFactory
  List<DynamicTest> brokenImplementation_isNoticed() {
    return NOTICED_BY.entrySet().stream()
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey().getSimpleName(),
                    () -> {
                      Set<String> failed = failed(entry.getKey());
                      assertTrue(
                          failed.contains(entry.getValue()),
                          () -> entry.getValue() + " passed; failed: " + failed);
                    }))
        .toList();
  }

  @Test
  void everyContractTest_canFail() {
    TreeSet<String> failed = new TreeSet<>();
    for (Class<?> broken : NOTICED_BY.keySet()) {
      failed(broken).forEach(test -> failed.add(contract(broken).getSimpleName() + "." + test));
    }
    TreeSet<String> all = new TreeSet<>();
    for (Class<?> broken : NOTICED_BY.keySet()) {
      Class<?> contract = contract(broken);
      for (Method method : contract.getDeclaredMethods()) {
        if (method.isAnnotationPresent(Test.class)) {
          all.add(contract.getSimpleName() + "." + method.getName() + "()");
        }
      }
    }
    assertEquals(all, failed);
  }

  private static final Map<Class<?>, Set<String>> FAILED = new ConcurrentHashMap<>();

  /** The tests that fail for an implementation; run once. */
  private static Set<String> failed(Class<?> broken) {
    return FAILED.computeIfAbsent(
        broken,
        contract -> {
          Set<String> failed = new TreeSet<>();
          run(contract)
              .getFailures()
              .forEach(it -> failed.add(it.getTestIdentifier().getDisplayName()));
          return failed;
        });
  }

  /** The contract that an implementation breaks. */
  private static Class<?> contract(Class<?> broken) {
    Class<?> contract = broken;
    while (!Modifier.isAbstract(contract.getModifiers())) {
      contract = contract.getSuperclass();
    }
    return contract;
  }

  @TestFactory
  List<DynamicTest> soundImplementation_passes() {
    return List.of(
        DynamicTest.dynamicTest(
            "timers in memory",
            () -> {
              TestExecutionSummary summary = run(InMemoryTimerStoreTest.class);
              assertEquals(0, summary.getTestsFailedCount());
              assertTrue(summary.getTestsSucceededCount() > 10);
            }));
  }

  private static TestExecutionSummary run(Class<?> contract) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(contract))
            .configurationParameter(
                "junit.jupiter.conditions.deactivate", "org.junit.*DisabledCondition")
            .build();
    LauncherFactory.create().execute(request, listener);
    return listener.getSummary();
  }
}
