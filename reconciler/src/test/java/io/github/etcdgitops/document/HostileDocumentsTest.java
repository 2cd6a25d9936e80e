package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Violation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Every file in `documents` is wrong, and the file beside it says exactly what is to be said about it.
/// `-Ddocuments.update=true` writes those files anew: read the difference before you keep it.
class HostileDocumentsTest {
    private static final Path FOLDER = Path.of("src/test/resources/documents");
    private static final ClusterRef GOOD = new ClusterRef("demo", "good");
    private static final String FLEET = Trees.fleet("""
          environments:
            - name: example
              paths: [clusters/]
        """);

    @TestFactory
    Stream<DynamicTest> saysExactlyWhatIsWrong() throws IOException {
        return cases().stream().map(name -> DynamicTest.dynamicTest(name, () -> check(name)));
    }

    @Test
    void leavesNoFileUnused() throws IOException {
        var names = cases();

        try (var files = Files.list(FOLDER)) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .allMatch(f -> names.contains(f.replaceAll("[.](yaml|expected)$", "")));
        }
        assertThat(names).hasSizeGreaterThan(60);
    }

    @Test
    void loadsTheGoodRingAmongAllBadOnes() throws IOException {
        var files = new TreeMap<String, byte[]>();
        for (String name : cases()) {
            if (!name.startsWith("fleet-") || name.equals("fleet-in-clusters")) {
                files.put(place(name), Files.readAllBytes(FOLDER.resolve(name + ".yaml")));
            }
        }
        putGood(files);

        var state = SpecLoader.load(Trees.ofBytes(files));

        assertThat(state.rings()).containsOnlyKeys(GOOD, new ClusterRef("demo", "second-document-good"));
        assertThat(state.rejected())
                .contains(new ClusterRef("demo", "syntax-quote"), new ClusterRef("demo", "unknown-kind"))
                .doesNotContain(GOOD);
        assertThat(state.fleet().environments()).hasSize(1);
    }

    private static void check(String name) throws IOException {
        var files = new TreeMap<String, byte[]>();
        putGood(files);
        files.put(place(name), Files.readAllBytes(FOLDER.resolve(name + ".yaml")));
        Path expected = FOLDER.resolve(name + ".expected");

        var state = SpecLoader.load(Trees.ofBytes(files));

        if (Boolean.getBoolean("documents.update")) {
            Files.writeString(expected, shown(state));
        }
        assertThat(shown(state)).isEqualTo(Files.readString(expected));
        boolean failsClosed = place(name).equals("etcd-gitops.yaml");
        assertThat(state.rings().containsKey(GOOD)).isNotEqualTo(failsClosed);
        assertThat(state.rejected().contains(GOOD)).isEqualTo(failsClosed);
        assertThat(shown(state)).doesNotContain("hunter2", "0777123", "QQQQ");
    }

    private static void putGood(Map<String, byte[]> files) {
        files.put("etcd-gitops.yaml", FLEET.getBytes(StandardCharsets.UTF_8));
        files.put("clusters/good.yaml", Trees.ring("good", "").getBytes(StandardCharsets.UTF_8));
        files.put("policies/nightly.yaml", Trees.policy("nightly", "").getBytes(StandardCharsets.UTF_8));
    }

    private static String shown(DesiredState state) {
        var text = new StringBuilder();
        state.violations().forEach(v -> text.append(shown(v)));
        state.protection()
                .unclear()
                .forEach(at -> text.append("holds every founding: ").append(at).append('\n'));
        state.rejected().stream()
                .filter(ref -> !ref.equals(GOOD))
                .forEach(ref -> text.append("rejected: ").append(ref).append('\n'));
        return text.toString();
    }

    private static String shown(Violation v) {
        return v.code() + " " + v.at().line() + ":" + v.at().column() + " " + v.at().pointer() + "\n  " + v.message()
                + "\n" + v.hint().map(h -> "  -> " + h + "\n").orElse("");
    }

    private static String place(String name) {
        if (name.startsWith("fleet-") && !name.equals("fleet-in-clusters")) {
            return "etcd-gitops.yaml";
        }
        if (name.startsWith("approval-")) {
            return "approvals/" + name + ".yaml";
        }
        if (name.startsWith("tombstone-")) {
            return "tombstones/" + name + ".yaml";
        }
        return (name.startsWith("policy-") ? "policies/" : "clusters/") + name + ".yaml";
    }

    private static List<String> cases() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return files.map(f -> f.getFileName().toString())
                    .filter(f -> f.endsWith(".yaml"))
                    .map(f -> f.substring(0, f.length() - ".yaml".length()))
                    .sorted()
                    .toList();
        }
    }
}
