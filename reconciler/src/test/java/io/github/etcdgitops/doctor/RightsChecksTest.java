package io.github.etcdgitops.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.doctor.exam.AccessQuestions;
import io.github.etcdgitops.doctor.fact.AccessRight;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.gateway.MemberAccessMode;
import io.github.etcdgitops.gateway.access.ClusterProbe.AccessQuestion;
import io.github.etcdgitops.gateway.access.Permission.Need;
import io.github.etcdgitops.gateway.access.Permission.Role;
import io.github.etcdgitops.gateway.access.Permissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RightsChecksTest {
    private static final Predicate<AccessQuestion> READS =
            q -> List.of("get", "list").contains(q.permission().verb());

    private static Expected as(Role identity, MemberAccessMode memberAccess) {
        return new Expected(identity, memberAccess, Optional.of("prod"), Optional.empty(), Optional.empty(), 1);
    }

    private static List<AccessRight> rights(List<String> namespaces, Predicate<AccessQuestion> granted) {
        return new AccessQuestions(namespaces, "ops")
                .all().stream()
                        .map(q -> new AccessRight(q, Fact.seen(granted.test(q))))
                        .toList();
    }

    private static Check check(String name, List<AccessRight> rights, Expected expected) {
        return Named.check(name, RightsChecks.of(rights, expected, "because"));
    }

    @Test
    void asksForEveryRightThatARunUses() {
        assertThat(new AccessQuestions(List.of(), "ops").all())
                .extracting(AccessQuestion::permission)
                .containsAll(Permissions.ALL.stream()
                        .filter(p ->
                                !Set.of(Need.TLS, Need.AUTH, Need.CERT_MANAGER).contains(p.need()))
                        .toList());
    }

    @Test
    void neverProposesRightsToAllSecrets() {
        assertThat(new AccessQuestions(List.of("a"), "ops").all())
                .extracting(q -> q.permission().resource())
                .isNotEmpty()
                .doesNotContain("secrets");
    }

    @Test
    void asksEverywhereUnlessNamespacesAreNamed() {
        assertThat(new AccessQuestions(List.of(), "ops").all())
                .filteredOn(q -> !q.permission().resource().equals("namespaces"))
                .allMatch(q -> q.namespace().isEmpty());

        var named = new AccessQuestions(List.of("a", "b"), "ops").all();
        assertThat(named)
                .filteredOn(q -> q.permission().resource().equals("pods"))
                .extracting(AccessQuestion::namespace)
                .containsOnly("a", "b");
        assertThat(named)
                .filteredOn(q -> q.permission().resource().equals("namespaces")
                        && q.permission().verb().equals("get"))
                .extracting(AccessQuestion::name)
                .containsExactlyInAnyOrder("kube-system", "ops", "a", "b");
        assertThat(named)
                .filteredOn(q -> q.permission().verb().equals("create")
                        && q.permission().resource().equals("namespaces"))
                .extracting(AccessQuestion::namespace)
                .containsExactly("");
    }

    @Test
    void asksWhetherTheLastAcceptedCommitCanBeKeptBesideTheReconciler() {
        assertThat(new AccessQuestions(List.of("a"), "ops").all())
                .filteredOn(q -> q.namespace().equals("ops") && q.name().isEmpty())
                .extracting(q -> q.permission().role() + " " + q.permission().verb() + " "
                        + q.permission().resource())
                .containsExactlyInAnyOrder(
                        "planner get configmaps", "executor create configmaps", "executor update configmaps");
    }

    @Test
    void executorNeedsItsRights() {
        var check = check("rights to execute", rights(List.of(), READS), as(Role.EXECUTOR, MemberAccessMode.AUTO));

        assertThat(check).isInstanceOfSatisfying(Check.Failed.class, failed -> {
            assertThat(failed.trouble()).isEqualTo(Trouble.RIGHTS);
            assertThat(failed.remedy())
                    .contains(
                            "add to the rules of its ClusterRole:",
                            "- {apiGroups: [\"apps\"], resources: [statefulsets], verbs: [create, update]}",
                            "- {apiGroups: [\"\"], resources: [pods], verbs: [delete, update]}");
        });
    }

    @Test
    void plannerNeedsNoExecutorRights() {
        var check = check("rights to execute", rights(List.of(), READS), as(Role.PLANNER, MemberAccessMode.AUTO));

        assertThat(check).isInstanceOf(Check.Warning.class);
        assertThat(check("rights to plan", rights(List.of(), READS), as(Role.PLANNER, MemberAccessMode.AUTO)))
                .isInstanceOf(Check.Ok.class);
    }

    @Test
    void namesTheNamespaceWhereARuleIsMissing() {
        var rights = rights(List.of("a", "b"), q -> !q.namespace().equals("b"));

        assertThat(check("rights to plan", rights, as(Role.EXECUTOR, MemberAccessMode.AUTO)))
                .isInstanceOfSatisfying(
                        Check.Failed.class,
                        f -> assertThat(f.remedy())
                                .first()
                                .isEqualTo("add to the rules of its Role in namespace b, or of its ClusterRole:"));
    }

    @ParameterizedTest
    @CsvSource({"AUTO, Warning", "POD_IP, Skipped", "PORT_FORWARD, Failed"})
    void failsWithoutPortForwardRightOnlyIfModeNeedsIt(MemberAccessMode memberAccess, String verdict) {
        var rights = rights(List.of(), q -> q.permission().subresource().isEmpty());

        var check = check("right to port-forward", rights, as(Role.EXECUTOR, memberAccess));

        assertThat(check.getClass().getSimpleName()).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"right to make namespaces, namespaces", "right to write Events, events"})
    void someRightsAreOptional(String name, String resource) {
        var rights = rights(
                List.of(),
                q -> !(q.permission().resource().equals(resource)
                        && q.permission().role() == Role.EXECUTOR));

        assertThat(check(name, rights, as(Role.EXECUTOR, MemberAccessMode.AUTO)))
                .isInstanceOf(Check.Warning.class);
    }

    /// Whoever deletes rings deletes their StatefulSets, and their claims where a tombstone says so.
    @ParameterizedTest
    @CsvSource({"statefulsets", "persistentvolumeclaims", "services", "configmaps"})
    void deletingRingsTakesEachOfItsRights(String resource) {
        var rights = rights(
                List.of(),
                q -> !(q.permission().resource().equals(resource)
                        && q.permission().verb().equals("delete")));

        assertThat(check("rights to delete rings", rights, as(Role.EXECUTOR, MemberAccessMode.AUTO)))
                .isInstanceOf(Check.Warning.class);
    }

    @Test
    void unansweredRightIsNotGranted() {
        var rights = new AccessQuestions(List.of(), "ops")
                .all().stream()
                        .map(q -> new AccessRight(q, new Fact.Unseen<Boolean>(Trouble.TEMPORARY, "no answer in time")))
                        .toList();

        assertThat(check("rights to plan", rights, as(Role.EXECUTOR, MemberAccessMode.AUTO)))
                .isInstanceOfSatisfying(
                        Check.Failed.class, f -> assertThat(f.seen()).contains("no answer in time"));
    }
}
