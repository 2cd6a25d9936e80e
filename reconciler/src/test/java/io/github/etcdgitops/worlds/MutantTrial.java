package io.github.etcdgitops.worlds;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs tests one after the other until one fails, and names that one. A small program, because a mutant is tried a
/// process each, with its classes first on the class path. Arguments are what comes first, `Class` or `Class#method`,
/// with full names; the worlds of this package follow. With `--only`, nothing follows.
final class MutantTrial {
    /// The quick ones first: most mutants end there.
    private static final List<Class<?>> TESTS = List.of(
            TwoRunsTest.class,
            DyingLearnerTest.class,
            HandsInBetweenTest.class,
            SecondFaultPlaysTest.class,
            MachinePlaysTest.class,
            ReleasePlaysTest.class,
            LaggingSourcePlaysTest.class,
            NothingEndsInVainPlaysTest.class,
            FailingPlaysTest.class,
            AdoptHealPlaysTest.class,
            ReturnHealPlaysTest.class,
            GapPlaysTest.class,
            InspectPlaysTest.class,
            PurgePlaysTest.class,
            RecoverPlaysTest.class,
            RollFaultPlaysTest.class,
            StatefulSetGonePlaysTest.class,
            LastSnapshotPlaysTest.class,
            DeletionPlaysTest.class,
            DivergencePlaysTest.class,
            InitialCheckPlaysTest.class,
            MaintainPlaysTest.class,
            MachineWorldsTest.class,
            SpaceWorldsTest.class,
            VolumePlaysTest.class,
            DivergedWorldsTest.class,
            MemberWorldsTest.class,
            VolumeWorldsTest.class,
            SmallWorldsTest.class,
            CrashEverywhereTest.class);

    static final String ONLY = "--only";

    private MutantTrial() {}

    public static void main(String[] args) throws ClassNotFoundException {
        var ordered = new LinkedHashMap<String, DiscoverySelector>();
        for (String first : args) {
            if (!first.equals(ONLY)) {
                ordered.put(first, selector(first));
            }
        }
        if (!List.of(args).contains(ONLY)) {
            TESTS.forEach(tests -> ordered.putIfAbsent(tests.getName(), DiscoverySelectors.selectClass(tests)));
        }
        var launcher = LauncherFactory.create();
        for (var tests : ordered.entrySet()) {
            var failure = new FirstFailure();
            launcher.execute(LauncherExecutionRequestBuilder.request(LauncherDiscoveryRequestBuilder.request()
                            .selectors(tests.getValue())
                            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                            .build())
                    .cancellationToken(failure.token)
                    .listeners(failure)
                    .build());
            if (failure.test.isPresent()) {
                System.out.println("killed by " + failure.test.get());
                failure.cause.ifPresent(System.out::println);
                return;
            }
            if (failure.passed == 0) {
                throw new IllegalStateException(tests.getKey() + " has no tests");
            }
        }
        System.out.println("survived");
    }

    /// Of two methods of one name, the test.
    private static DiscoverySelector selector(String name) throws ClassNotFoundException {
        String[] parts = name.split("#");
        var tests = Class.forName(parts[0]);
        if (parts.length == 1) {
            return DiscoverySelectors.selectClass(tests);
        }
        return Stream.of(tests.getDeclaredMethods())
                .filter(method -> method.getName().equals(parts[1]))
                .filter(method ->
                        method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(ParameterizedTest.class))
                .findFirst()
                .map(method -> DiscoverySelectors.selectMethod(tests, method))
                .orElseThrow(() -> new IllegalArgumentException("there is no test " + name));
    }

    /// Ends the run at the first test that fails.
    private static final class FirstFailure implements TestExecutionListener {
        private final CancellationToken token = CancellationToken.create();
        private Optional<String> test = Optional.empty();
        private Optional<Throwable> cause = Optional.empty();
        private int passed;

        @Override
        public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED && test.isEmpty()) {
                test = Optional.of(name(identifier));
                cause = result.getThrowable();
                token.cancel();
            } else if (identifier.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
                passed++;
            }
        }

        private static String name(TestIdentifier identifier) {
            return identifier.getSource().orElse(null) instanceof MethodSource method
                    ? method.getJavaClass().getSimpleName() + "#" + method.getMethodName()
                    : identifier.getDisplayName();
        }
    }
}
