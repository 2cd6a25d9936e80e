package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.journal.JournalFile;
import io.github.etcdgitops.gateway.kube.manifest.MemberConfigFile;
import io.github.etcdgitops.gateway.kube.read.Hosts;
import io.github.etcdgitops.gateway.kube.read.Part;
import io.github.etcdgitops.gateway.kube.read.RingParts;
import io.github.etcdgitops.gateway.kube.read.StateMapper;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.value.Observed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whoever may write one object of a ring may write anything into it. What cannot be a ring's is said to be none of it,
/// and no exception but the one that says so leaves the reader.
class HostileObjectsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    static List<String> values() {
        return List.of(
                "2147483647",
                "9223372036854775807",
                "9223372036854775808",
                "-1",
                "1e400",
                "1.5",
                "9".repeat(900),
                "null",
                "true",
                "[]",
                "{}",
                "\"\"",
                "\"+1000000000-12-31T23:59:59Z\"",
                "\"-999999999-01-01T00:00:00Z\"",
                "\"" + "x".repeat(300_000) + "\"");
    }

    @ParameterizedTest
    @MethodSource("values")
    void refusesAJournalWithAnyFieldThatCannotBeOrReadsIt(String value) throws IOException {
        var whole = (ObjectNode) JSON.readTree(JournalFile.write(JournalFileTest.full()));
        var hostile = JSON.readTree(value);

        for (String journal : with(whole, hostile)) {
            try {
                JournalFile.read(journal);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageStartingWith("the journal");
            }
        }
    }

    /// The document as often as it has fields, each time with another one of them replaced.
    private static List<String> with(ObjectNode document, JsonNode value) {
        var all = new ArrayList<String>();
        replace(document, document, value, all);
        assertThat(all).hasSizeGreaterThan(20);
        return all;
    }

    private static void replace(ObjectNode document, JsonNode at, JsonNode value, List<String> all) {
        switch (at) {
            case ObjectNode object -> {
                for (String name :
                        object.properties().stream().map(e -> e.getKey()).toList()) {
                    var former = object.get(name);
                    object.set(name, value);
                    all.add(document.toString());
                    object.set(name, former);
                    replace(document, former, value, all);
                }
            }
            case ArrayNode array -> array.forEach(item -> replace(document, item, value, all));
            default -> {}
        }
    }

    @Test
    void refusesAnEpochAfterWhichThereIsNoNextOne() {
        String journal = JournalFile.write(JournalFileTest.full().withEpoch(2_147_483_647));

        assertThatThrownBy(() -> JournalFile.read(journal))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the journal's field epoch is 2147483647, and must be less than 2147483647");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void refusesAJournalThatIsNestedWithoutEnd(String open) {
        assertThatThrownBy(() -> JournalFile.read(open.repeat(100_000))).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "{\"epoch\":NaN}", "{\"epoch\":1,\"epoch\":2}", "nul", ""})
    void refusesAJournalThatIsNoJson(String journal) {
        assertThatThrownBy(() -> JournalFile.read(journal)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "- "})
    void takesAMembersFileThatIsNestedWithoutEndForNone(String open) {
        assertThat(MemberConfigFile.read(open.repeat(100_000))).isEmpty();
    }

    @Test
    void takesAMembersFileThatRefersToItselfForNone() {
        String lol = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
                + "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nname: &n [*n]\n";

        assertThat(MemberConfigFile.read(lol)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "100", "2147483647"})
    void readsNoStatefulSetWithReplicasOrAPartitionThatNoRingHas(String number) throws IOException {
        for (String field : List.of("\"replicas\":N", "\"updateStrategy\":{\"rollingUpdate\":{\"partition\":N}}")) {
            var set = """
                {"metadata":{"namespace":"demo","name":"orders"},"spec":{%s}}\
                """.formatted(field.replace("N", number));

            var state = state(Tree.parse(set.getBytes(java.nio.charset.StandardCharsets.UTF_8)));

            assertThat(state.statefulSet().unknownReason())
                    .hasValueSatisfying(why -> assertThat(why)
                            .startsWith("StatefulSet orders has spec.")
                            .contains(number));
        }
    }

    private static KubeState state(ObjectNode statefulSet) {
        var objects = new EnumMap<Part, Observed<Optional<ObjectNode>>>(Part.class);
        for (Part part : Part.values()) {
            objects.put(part, Observed.known(Optional.empty()));
        }
        objects.put(Part.STATEFUL_SET, Observed.known(Optional.of(statefulSet)));
        return StateMapper.state(
                new ClusterRef("demo", "orders"),
                new RingParts(
                        objects, Observed.known(new TreeMap<>()), Observed.known(new TreeMap<>()), Hosts.NONE, true));
    }
}
