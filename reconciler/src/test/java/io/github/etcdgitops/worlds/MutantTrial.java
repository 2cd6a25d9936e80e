package io.github.etcdgitops.worlds;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Runs tests one after the other until one fails, and names that one. A small program, because a mutant is tried a
/// process each, with its classes first on the class path. Arguments are the classes that come first, wherever they
/// are; the worlds of this package follow. Only tests without parameters are run.
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

    public static void main(String[] args) throws ReflectiveOperationException {
        var ordered = new LinkedHashSet<Class<?>>();
        for (String first : args) {
            ordered.add(Class.forName(first));
        }
        ordered.addAll(TESTS);
        for (Class<?> tests : ordered) {
            var methods = Arrays.stream(tests.getDeclaredMethods())
                    .filter(m -> m.isAnnotationPresent(Test.class) && m.getParameterCount() == 0)
                    .sorted(Comparator.comparing(java.lang.reflect.Method::getName)
                            .reversed())
                    .toList();
            for (var method : methods) {
                method.setAccessible(true);
                var constructor = tests.getDeclaredConstructor();
                constructor.setAccessible(true);
                try {
                    method.invoke(constructor.newInstance());
                } catch (InvocationTargetException e) {
                    System.out.println("killed by " + tests.getSimpleName() + "#" + method.getName());
                    System.out.println(e.getCause());
                    return;
                }
            }
        }
        System.out.println("survived");
    }
}
