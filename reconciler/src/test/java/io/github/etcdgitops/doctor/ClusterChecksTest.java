package io.github.etcdgitops.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.doctor.exam.AccessQuestions;
import io.github.etcdgitops.doctor.fact.AccessRight;
import io.github.etcdgitops.doctor.fact.ClusterFacts;
import io.github.etcdgitops.doctor.fact.ClusterFacts.Clock;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.gateway.MemberAccessMode;
import io.github.etcdgitops.gateway.access.ClusterProbe.Server;
import io.github.etcdgitops.gateway.access.Permission.Role;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterChecksTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final List<String> NEEDED = List.of("apps/v1", "coordination.k8s.io/v1", "networking.k8s.io/v1");

    private static SortedSet<String> apis(String... more) {
        var apis = new TreeSet<>(NEEDED);
        apis.addAll(List.of(more));
        return apis;
    }

    private static ClusterFacts facts(String version, SortedSet<String> apis, List<String> defaults) {
        return new ClusterFacts(
                Fact.seen("context kube"),
                Fact.seen(new Server("https://kube:6443", version, Optional.of(NOW))),
                Fact.seen(new Clock(NOW, Optional.of(NOW), NOW)),
                Fact.seen("uid-1"),
                new ClusterFacts.Rights(
                        new AccessQuestions(List.of(), "etcd-gitops")
                                .all().stream()
                                        .map(q -> new AccessRight(q, Fact.seen(true)))
                                        .toList(),
                        List.of()),
                Fact.seen(apis),
                Fact.seen(defaults));
    }

    private static ClusterFacts sound() {
        return facts("v1.31.2", apis("policy/v1"), List.of("standard"));
    }

    private static Expected expected(Optional<String> fleet, Optional<String> branch, long defaultClassFor) {
        return new Expected(Role.EXECUTOR, MemberAccessMode.AUTO, Optional.of("prod"), fleet, branch, defaultClassFor);
    }

    private static final Expected NOTHING_RECORDED = expected(Optional.empty(), Optional.empty(), 1);

    private static Check check(String name, ClusterFacts facts, Expected expected) {
        return Named.check(name, ClusterChecks.of(facts, expected));
    }

    @Test
    void findsNoFaultInSoundServer() {
        assertThat(ClusterChecks.of(sound(), NOTHING_RECORDED)).allMatch(c -> c instanceof Check.Ok);
    }

    @Test
    void skipsRemainingChecksIfApiServerDoesNotAnswer() {
        var unreached = ClusterFacts.unreached(
                Fact.seen("context kube"), new Fact.Unseen<>(Trouble.TEMPORARY, "cannot be reached"));

        var checks = ClusterChecks.of(unreached, NOTHING_RECORDED);

        assertThat(checks).hasSameSizeAs(ClusterChecks.of(sound(), NOTHING_RECORDED));
        assertThat(checks.get(1)).isInstanceOf(Check.Failed.class);
        assertThat(checks.subList(2, checks.size()))
                .allMatch(c ->
                        c instanceof Check.Skipped skipped && skipped.because().endsWith("API server"));
    }

    @ParameterizedTest
    @CsvSource({
        "v1.19.16, Warning",
        "v1.20.2, Ok",
        "v1.27.3-gke.100, Ok",
        "v1.36.0, Ok",
        "v1.37.0-alpha.1, Warning",
        "v2.0.0, Warning",
        "'', Warning"
    })
    void warnsOfUntestedVersion(String version, String verdict) {
        var check = check("version", facts(version, apis("policy/v1"), List.of("standard")), NOTHING_RECORDED);

        assertThat(check.getClass().getSimpleName()).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({
        "uid-1, uid-1, Ok, as the Fleet says",
        "'', uid-1, Ok, as the report branch",
        "'', '', Ok, on record nowhere yet",
        "uid-2, uid-1, Failed, the Fleet has uid-2",
        "uid-1, uid-2, Failed, the report branch has uid-2"
    })
    void identifiesTheKubernetesCluster(String fleet, String branch, String verdict, String text) {
        var expected = expected(
                Optional.of(fleet).filter(f -> !f.isEmpty()),
                Optional.of(branch).filter(b -> !b.isEmpty()),
                1);

        var check = check("which Kubernetes", sound(), expected);

        assertThat(check.getClass().getSimpleName()).isEqualTo(verdict);
        assertThat(check.toString()).contains(text);
    }

    @Test
    void doesNotGuessWhichKubernetesIsMeantWithoutTheRepository() {
        var expected = new Expected(
                Role.EXECUTOR, MemberAccessMode.AUTO, Optional.empty(), Optional.empty(), Optional.empty(), 1);

        assertThat(check("which Kubernetes", sound(), expected)).isInstanceOf(Check.Skipped.class);
    }

    @ParameterizedTest
    @CsvSource({"policy/v1, Ok", "policy/v1beta1, Ok", "other/v1, Failed"})
    void budgetsAreServedOneWayOrTheOther(String api, String verdict) {
        var check = check("APIs", facts("v1.31.2", apis(api), List.of("standard")), NOTHING_RECORDED);

        assertThat(check.getClass().getSimpleName()).isEqualTo(verdict);
    }

    @Test
    void namesAnApiThatIsMissing() {
        var without = apis("policy/v1");
        without.remove("coordination.k8s.io/v1");

        assertThat(check("APIs", facts("v1.31.2", without, List.of("standard")), NOTHING_RECORDED))
                .isInstanceOfSatisfying(
                        Check.Failed.class, f -> assertThat(f.seen()).contains("coordination.k8s.io/v1"));
    }

    @ParameterizedTest
    @CsvSource({"0, 1, Warning", "1, 1, Ok", "2, 1, Warning", "0, 0, Ok"})
    void warnsWithoutSingleDefaultClassIfRingsNameNone(int defaults, long rings, String verdict) {
        var names = List.of("a", "b").subList(0, defaults);

        var check = check(
                "StorageClass",
                facts("v1.31.2", apis("policy/v1"), names),
                expected(Optional.empty(), Optional.empty(), rings));

        assertThat(check.getClass().getSimpleName()).isEqualTo(verdict);
    }
}
