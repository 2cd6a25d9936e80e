package io.github.etcdgitops.worlds;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs tests one after the other until one fails, and names that one. A small program, because a mutant is tried a
/// process each, with its classes first on the class path. Arguments are the classes that come first, wherever they
/// are; the worlds of this package follow.
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

    private MutantTrial() {}

    public static void main(String[] args) throws ClassNotFoundException {
        var ordered = new LinkedHashSet<Class<?>>();
        for (String first : args) {
            ordered.add(Class.forName(first));
        }
        ordered.addAll(TESTS);
        var launcher = LauncherFactory.create();
        for (Class<?> tests : ordered) {
            var failure = new FirstFailure();
            launcher.execute(LauncherExecutionRequestBuilder.request(LauncherDiscoveryRequestBuilder.request()
                            .selectors(DiscoverySelectors.selectClass(tests))
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
                throw new IllegalStateException(tests.getSimpleName() + " has no tests");
            }
        }
        System.out.println("survived");
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
