package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.field.Schemas;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Ratchet;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.spec.value.Transport.Mode;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Feature gates on three levels, each of which says yes, no or nothing, and what may not be taken back.
class FeatureLevelsTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");

    /// What a level says: `true`, `false`, or nothing.
    private enum Word {
        SILENT(""),
        NO("false"),
        YES("true");

        private final String text;

        Word(String text) {
            this.text = text;
        }
    }

    private record Levels(Word fleet, Word environment, Word ring) {
        /// The nearest word that is one.
        boolean on() {
            for (var word : List.of(ring, environment, fleet)) {
                if (word != Word.SILENT) {
                    return word == Word.YES;
                }
            }
            return false;
        }

        Map<String, String> files(FeatureGate gate, String ringMore) {
            var files = new TreeMap<String, String>();
            files.put(
                    "etcd-gitops.yaml",
                    Trees.fleet("  environments:\n    - name: prod\n      paths: [clusters/]\n"
                            + line("      ", environment, gate) + line("  ", fleet, gate)));
            files.put("clusters/orders.yaml", Trees.ring("orders", line("  ", ring, gate) + ringMore));
            return files;
        }

        private static String line(String indent, Word word, FeatureGate gate) {
            return word == Word.SILENT ? "" : indent + "features: {" + gate + ": " + word.text + "}\n";
        }

        DesiredState load(FeatureGate gate) {
            var state = SpecLoader.load(Trees.of(files(gate, "")));
            assertThat(state.violations()).isEmpty();
            return state;
        }
    }

    private static List<Levels> levels() {
        var all = new ArrayList<Levels>();
        for (var fleet : Word.values()) {
            for (var environment : Word.values()) {
                for (var ring : Word.values()) {
                    all.add(new Levels(fleet, environment, ring));
                }
            }
        }
        return all;
    }

    private static Stream<Levels> everyLevels() {
        return levels().stream();
    }

    private static EtcdClusterSpec orders(DesiredState state) {
        return java.util.Objects.requireNonNull(state.rings().get(ORDERS));
    }

    @ParameterizedTest
    @EnumSource(FeatureGate.class)
    void mostSpecificLevelCounts(FeatureGate gate) {
        for (var levels : levels()) {
            var features = orders(levels.load(gate)).server().features();

            assertThat(features.on(gate)).as(levels.toString()).isEqualTo(levels.on());
            assertThat(features.provenance(gate)).as(levels.toString()).isEqualTo(provenance(levels));
        }
    }

    private static String provenance(Levels levels) {
        if (levels.ring() != Word.SILENT) {
            return levels.ring().text + ", from clusters/orders.yaml:9 (ring)";
        }
        if (levels.environment() != Word.SILENT) {
            return levels.environment().text + ", from etcd-gitops.yaml:9 (environment prod)";
        }
        int line = 9;
        return levels.fleet() == Word.SILENT
                ? "false, by default"
                : levels.fleet().text + ", from etcd-gitops.yaml:" + line + " (fleet)";
    }

    @Test
    void peerTlsGateEqualsTlsInDocument() {
        var byGate = SpecLoader.load(
                Trees.of(Map.of("clusters/orders.yaml", Trees.ring("orders", "  features: {PeerTls: true}\n"))));
        var byDocument = SpecLoader.load(Trees.of(Map.of(
                "clusters/orders.yaml", Trees.ring("orders", "  tls: {peer: mutual, issuer: {kind: BuiltIn}}\n"))));

        assertThat(orders(byGate).server().tls())
                .isEqualTo(orders(byDocument).server().tls())
                .isEqualTo(new Tls(new Transport(Mode.MUTUAL, Mode.PLAIN), Tls.Issuer.BUILT_IN, Tls.YEAR));
    }

    @Test
    void ownPeerTlsOverridesGate() {
        var levels = new Levels(Word.YES, Word.SILENT, Word.SILENT);
        var state =
                SpecLoader.load(Trees.of(levels.files(FeatureGate.PEER_TLS, "  tls: {peer: plain, client: mixed}\n")));

        var server = orders(state).server();

        assertThat(server.tls().transport()).isEqualTo(new Transport(Mode.PLAIN, Mode.MIXED));
        assertThat(server.features().value(FeatureGate.PEER_TLS)).isTrue();
        assertThat(server.features().on(FeatureGate.PEER_TLS)).isFalse();
    }

    @Test
    void fleetGateForOlderRingIsNoViolation() {
        var files =
                new TreeMap<>(new Levels(Word.YES, Word.SILENT, Word.SILENT).files(FeatureGate.COMPACT_HASH_CHECK, ""));
        files.computeIfPresent("clusters/orders.yaml", (_, text) -> text.replace("3.5.16", "3.4.23"));

        var state = SpecLoader.load(Trees.of(files));

        assertThat(state.violations()).isEmpty();
        var server = orders(state).server();
        assertThat(server.features().ofMembers(server.version())).isEmpty();
    }

    // --- what may not be taken back

    @ParameterizedTest
    @MethodSource("everyLevels")
    void refusesToTurnOffRatchetOnAnyLevel(Levels before) {
        for (var now : levels()) {
            var violations = violations(FeatureGate.PEER_TLS, before, now);

            String what = before + " → " + now;
            if (before.on() && !now.on()) {
                assertThat(violations).as(what).hasSize(1);
                var violation = violations.getFirst();
                assertThat(violation.code()).isEqualTo("feature-turned-off");
                String there = place(before);
                assertThat(violation.message())
                        .as(what)
                        .isEqualTo("PeerTls cannot be turned off again; it was turned on at " + there
                                + " (revision abc1234), for demo/orders.");
                assertThat(violation.at().file() + ":" + violation.at().line())
                        .as(what)
                        .isEqualTo(silent(now) ? gone(before) : place(now));
            } else {
                assertThat(violations).as(what).isEmpty();
            }
        }
    }

    private static List<Violation> violations(FeatureGate gate, Levels before, Levels now) {
        return Ratchet.violations(before.load(gate), "abc1234", now.load(gate));
    }

    private static boolean silent(Levels levels) {
        return levels.equals(new Levels(Word.SILENT, Word.SILENT, Word.SILENT));
    }

    private static String place(Levels levels) {
        return provenance(levels).replaceAll("^\\w+, from | \\(.*$", "");
    }

    /// Where nothing says no: the document that said yes.
    private static String gone(Levels before) {
        return before.ring() == Word.YES ? "clusters/orders.yaml:1" : "etcd-gitops.yaml:0";
    }

    @Test
    void gateWithoutRatchetMayBeTurnedOff() {
        var on = new Levels(Word.YES, Word.SILENT, Word.SILENT);
        var off = new Levels(Word.NO, Word.SILENT, Word.SILENT);

        assertThat(violations(FeatureGate.COMPACT_HASH_CHECK, on, off)).isEmpty();
    }

    @Test
    void ownSettingReplacesGate() {
        var before = new Levels(Word.YES, Word.SILENT, Word.SILENT).load(FeatureGate.PEER_TLS);
        var none = new Levels(Word.SILENT, Word.SILENT, Word.SILENT);
        var mutual = SpecLoader.load(Trees.of(none.files(FeatureGate.PEER_TLS, "  tls: {peer: mutual}\n")));
        var plain = SpecLoader.load(Trees.of(none.files(FeatureGate.PEER_TLS, "  tls: {peer: plain}\n")));

        assertThat(Ratchet.violations(before, "abc1234", mutual)).isEmpty();
        assertThat(Ratchet.violations(before, "abc1234", plain))
                .singleElement()
                .satisfies(v -> assertThat(v.at().file()).isEqualTo("clusters/orders.yaml"));
        assertThat(Ratchet.violations(plain, "abc1234", plain)).isEmpty();
    }

    @Test
    void reportsOneViolationForManyRings() {
        var on = new TreeMap<>(new Levels(Word.YES, Word.SILENT, Word.SILENT).files(FeatureGate.PEER_TLS, ""));
        for (String name : List.of("a", "b", "c", "d")) {
            on.put("clusters/" + name + ".yaml", Trees.ring(name, ""));
        }
        var off = new TreeMap<>(on);
        off.computeIfPresent("etcd-gitops.yaml", (_, text) -> text.replace("true", "false"));
        off.put("clusters/new.yaml", Trees.ring("new", ""));
        off.remove("clusters/d.yaml");

        var violations = Ratchet.violations(SpecLoader.load(Trees.of(on)), "abc1234", SpecLoader.load(Trees.of(off)));

        assertThat(violations)
                .singleElement()
                .satisfies(v ->
                        assertThat(v.message()).endsWith("(revision abc1234), for demo/a, demo/b, demo/c and 1 more."));
    }

    @Test
    void schemasListExactlyEveryGate() throws java.io.IOException {
        var json = new com.fasterxml.jackson.databind.ObjectMapper();
        var fleet = json.readTree(Schemas.text("Fleet").orElseThrow()).at("/$defs/features/properties");
        var ring = json.readTree(Schemas.text("EtcdCluster").orElseThrow())
                .at("/properties/spec/properties/features/properties");

        assertThat(ring).isEqualTo(fleet);
        assertThat(fleet.fieldNames()).toIterable().containsExactlyElementsOf(FeatureGate.titles());
    }
}
