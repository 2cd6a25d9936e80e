package io.github.etcdgitops.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.arch.Production;
import io.github.etcdgitops.fake.Samples;
import io.github.etcdgitops.golden.Golden;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// An approval is for exactly what will be done. Every part of every operation either changes its id, or stands in
/// `uncounted.txt`, which is read in review: a part that is added to an operation fails here until somebody has said
/// which of the two it is.
class OperationContentTest {
    private static final Golden GOLDEN = new Golden("ids");

    @Test
    void idCoversEverythingThatIsCarriedOut() {
        var uncounted = new TreeMap<String, List<String>>();

        for (Operation operation : operations().toList()) {
            uncounted.put(
                    operation.kind(),
                    Samples.variations((Record) operation).entrySet().stream()
                            .filter(other -> ((Operation) other.getValue()).id().equals(operation.id()))
                            .map(other -> other.getKey())
                            .sorted()
                            .toList());
        }

        GOLDEN.assertMatches(
                "uncounted.txt",
                uncounted.entrySet().stream()
                        .map(kind -> kind.getKey() + "\n"
                                + kind.getValue().stream()
                                        .map(part -> "  " + part + "\n")
                                        .collect(Collectors.joining()))
                        .collect(Collectors.joining()));
    }

    /// Another id of the same operation voids every approval of it.
    @Test
    void idsStayTheSameFromVersionToVersion() {
        var ids = operations()
                .map(operation -> operation.kind() + " " + operation.id() + "\n")
                .sorted()
                .collect(Collectors.joining());

        GOLDEN.assertMatches("ids.txt", ids);
    }

    @Test
    void idHangsOnEachCharacterOfAnOption() {
        var one = Resolved.NOTHING.and("options", new TreeMap<>(java.util.Map.of("a", "1", "b", "2")));
        var other = Resolved.NOTHING.and("options", new TreeMap<>(java.util.Map.of("a", "1\n9:options.b=1:2")));

        assertThat(one.text()).isNotEqualTo(other.text());
    }

    private static Stream<Operation> operations() {
        return Production.records(Operation.class).map(type -> (Operation) Samples.of(type));
    }
}
