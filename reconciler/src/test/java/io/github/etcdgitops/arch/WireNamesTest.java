package io.github.etcdgitops.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import io.github.etcdgitops.golden.Golden;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.value.WireName;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What others read is called by literals: renaming a class, an enum constant or a record component
/// changes none of it.
class WireNamesTest {
    /// Each says which exception of Java's or of a library was thrown: for people who look for the cause.
    private static final Set<String> NAME_EXCEPTIONS = Set.of(
            "ProcessExam",
            "DirectoryErrors",
            "Errors",
            "PortStreams",
            "ApiCall",
            "MetricsOut",
            "TransportFailures",
            "Program",
            "SnapshotConnection",
            "RestoreCompletion",
            "Receiver",
            "Copying",
            "PartFile");

    private static final Golden GOLDEN = new Golden("wire");
    private static final Pattern STEP = Pattern.compile("Facts\\.of\\(\"([A-Za-z]+)\"");
    private static final Pattern KIND =
            Pattern.compile("(?:String kind\\(\\) \\{\\s+return|String KIND =) \"([A-Za-z]+)\";");

    @Test
    void wireNamesStayWhatTheyAre() {
        var constants = Production.CLASSES.stream()
                .filter(type -> type.isEnum() && type.isAssignableTo(WireName.class))
                .map(WireNamesTest::wires)
                .sorted();

        GOLDEN.assertMatches("operations.txt", operations());
        GOLDEN.assertMatches("steps.txt", steps());
        GOLDEN.assertMatches("constants.txt", constants.collect(Collectors.joining("\n", "", "\n")));
    }

    private static String steps() {
        return Production.sources().stream()
                .flatMap(file -> Production.lines(file).stream())
                .flatMap(line -> STEP.matcher(line).results().map(found -> found.group(1)))
                .sorted()
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /// A record of an operation says its kind in the file of its name.
    private static String operations() {
        return Production.records(Operation.class)
                .map(type -> String.join("\n", Production.lines(Production.source(type))))
                .map(source -> KIND.matcher(source)
                        .results()
                        .map(found -> found.group(1))
                        .findFirst()
                        .orElseThrow())
                .sorted()
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String wires(JavaClass type) {
        return Arrays.stream(type.reflect().getEnumConstants())
                .map(constant -> ((WireName) constant).wire())
                .collect(Collectors.joining(" "));
    }

    @Test
    void noNameOfAClassLeavesTheProcess() {
        var found = calls().filter(call -> call.getTargetOwner().isEquivalentTo(Class.class)
                        && call.getName().equals("getSimpleName"))
                .map(call -> outermost(call.getOriginOwner()))
                .filter(name -> !NAME_EXCEPTIONS.contains(name))
                .toList();

        assertThat(found).as("use Operation.kind(), Step.name() or a WireName").isEmpty();
    }

    @Test
    void noNameOfAConstantLeavesTheProcess() {
        var found = calls().filter(call -> call.getTargetOwner().isAssignableTo(Enum.class)
                        && call.getTargetOwner().getName().startsWith(Production.BASE)
                        && (call.getName().equals("valueOf")
                                || (call.getName().equals("name")
                                        && call.getTarget()
                                                .getRawParameterTypes()
                                                .isEmpty())))
                .map(JavaMethodCall::getDescription)
                .toList();

        assertThat(found).as("implement WireName and use wire()").isEmpty();
    }

    private static Stream<JavaMethodCall> calls() {
        return Production.CLASSES.stream().flatMap(type -> type.getMethodCallsFromSelf().stream());
    }

    private static String outermost(JavaClass type) {
        return type.getEnclosingClass().map(WireNamesTest::outermost).orElse(type.getSimpleName());
    }
}
