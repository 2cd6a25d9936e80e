package io.github.etcdgitops.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Releases;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.validation.Location;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PolicySelectionTest {
    private static BackupPolicy policy(
            String name, List<String> environments, List<String> namespaces, Map<String, String> labels) {
        return new BackupPolicy(
                name,
                new RingSelector(environments, namespaces, new TreeMap<>(labels)),
                Optional.empty(),
                new Destination.Directory("/backups", ""),
                new BackupPolicy.Encoding(false, Optional.empty(), Optional.empty()),
                new BackupPolicy.Terms(
                        new BackupPolicy.Retention(
                                OptionalInt.empty(),
                                Optional.empty(),
                                OptionalInt.empty(),
                                OptionalInt.empty(),
                                OptionalInt.empty(),
                                ZoneId.of("UTC")),
                        new BackupPolicy.Objectives(Optional.empty(), Optional.empty()),
                        Optional.empty()),
                Location.ofFile("policies/" + name + ".yaml"));
    }

    private static EtcdClusterSpec ring(
            Optional<String> environment, Optional<String> policy, Map<String, String> labels) {
        var spec = Given.spec(new ClusterRef("shop", "orders"), 3, "3.5.16");
        return new EtcdClusterSpec(
                spec.ref(),
                spec.size(),
                spec.server(),
                spec.storage(),
                spec.podTemplate(),
                spec.network(),
                new EtcdClusterSpec.Declaration(
                        spec.declaration().source(),
                        environment,
                        Optional.empty(),
                        List.of(),
                        policy,
                        new TreeMap<>(labels),
                        Releases.ROLLOUT));
    }

    @Test
    void policyWithoutConditionsHoldsOnlyIfNamed() {
        var named = policy("nightly", List.of(), List.of(), Map.of());

        assertThat(PolicySelection.holds(named, ring(Optional.empty(), Optional.of("nightly"), Map.of())))
                .isTrue();
        assertThat(PolicySelection.holds(named, ring(Optional.empty(), Optional.of("other"), Map.of())))
                .isFalse();
        assertThat(PolicySelection.holds(named, ring(Optional.empty(), Optional.empty(), Map.of())))
                .isFalse();
    }

    @Test
    void everyConditionMustHold() {
        var gold = policy("gold", List.of("prod", "lab"), List.of("shop"), Map.of("tier", "gold", "team", "a"));

        assertThat(PolicySelection.holds(
                        gold,
                        ring(Optional.of("prod"), Optional.empty(), Map.of("tier", "gold", "team", "a", "x", "y"))))
                .isTrue();
        assertThat(PolicySelection.holds(gold, ring(Optional.of("prod"), Optional.empty(), Map.of("tier", "gold"))))
                .isFalse();
        assertThat(PolicySelection.holds(
                        gold, ring(Optional.of("test"), Optional.empty(), Map.of("tier", "gold", "team", "a"))))
                .isFalse();
        assertThat(PolicySelection.holds(
                        policy("bank", List.of("prod"), List.of("bank"), Map.of()),
                        ring(Optional.of("prod"), Optional.empty(), Map.of())))
                .isFalse();
    }

    @Test
    void countsRingWithoutEnvironmentAsDefault() {
        assertThat(PolicySelection.holds(
                        policy("all", List.of("default"), List.of(), Map.of()),
                        ring(Optional.empty(), Optional.empty(), Map.of())))
                .isTrue();
    }

    @Test
    void severalHoldAndEachOnce() {
        var named = policy("nightly", List.of(), List.of("shop"), Map.of());
        var selected = policy("weekly", List.of(), List.of("shop"), Map.of());
        var ring = ring(Optional.empty(), Optional.of("nightly"), Map.of());

        assertThat(PolicySelection.of(ring, List.of(named, selected))).containsExactly(named, selected);
    }

    @Test
    void rejectedPolicyMayHoldIfNamedSelectedOrUnclear() {
        var ring = ring(Optional.empty(), Optional.of("nightly"), Map.of());
        var shop = new RingSelector(List.of(), List.of("shop"), new TreeMap<>());
        var bank = new RingSelector(List.of(), List.of("bank"), new TreeMap<>());
        var none = new RingSelector(List.of(), List.of(), new TreeMap<>());

        assertThat(PolicySelection.mayHold(rejected("other", Optional.of(shop)), ring))
                .isTrue();
        assertThat(PolicySelection.mayHold(rejected("other", Optional.of(bank)), ring))
                .isFalse();
        assertThat(PolicySelection.mayHold(rejected("other", Optional.of(none)), ring))
                .isFalse();
        assertThat(PolicySelection.mayHold(rejected("nightly", Optional.of(none)), ring))
                .isTrue();
        assertThat(PolicySelection.mayHold(rejected("other", Optional.empty()), ring))
                .isTrue();
    }

    private static RejectedPolicy rejected(String name, Optional<RingSelector> rings) {
        return new RejectedPolicy(Optional.of(name), rings, Namespaces.ALL, Location.ofFile("policies/a.yaml"));
    }

    @Test
    void saysWhichNamedPolicyIsNotThere() {
        var ring = ring(Optional.empty(), Optional.of("nightly"), Map.of());

        assertThat(PolicySelection.missing(ring, List.of())).contains("nightly");
        assertThat(PolicySelection.missing(ring, List.of(policy("nightly", List.of(), List.of(), Map.of()))))
                .isEmpty();
    }
}
