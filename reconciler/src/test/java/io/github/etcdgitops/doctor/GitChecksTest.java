package io.github.etcdgitops.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.GitFacts;
import io.github.etcdgitops.doctor.fact.GitFacts.Address;
import io.github.etcdgitops.doctor.fact.GitFacts.Over;
import io.github.etcdgitops.doctor.fact.GitFacts.Stage;
import io.github.etcdgitops.doctor.fact.GitFacts.Talk;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Protection;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GitChecksTest {
    private static final Address SSH = new Address("ssh://git@host/rings", Over.SSH, "host", 22);

    private static DesiredState desired(Violation... violations) {
        return new DesiredState(
                Fleet.DEFAULT,
                new TreeMap<>(),
                List.of(),
                Protection.NONE,
                new TreeSet<>(),
                List.of(violations),
                "sha256:0");
    }

    private static GitFacts whole(DesiredState desired) {
        return new GitFacts(
                Fact.seen(SSH),
                Fact.seen("the SSH key /id"),
                Fact.seen(new Talk.Resolved("main", "c0ffee", false)),
                Fact.seen(desired),
                Fact.seen("default"),
                Fact.seen(Optional.empty()),
                new Fact.Unasked<>());
    }

    private static GitFacts stopped(Stage at, Trouble trouble) {
        return new GitFacts(
                Fact.seen(SSH),
                Fact.seen("the SSH key /id"),
                Fact.seen(new Talk.Stopped(at, trouble, "why")),
                new Fact.Unasked<>(),
                new Fact.Unasked<>(),
                new Fact.Unasked<>(),
                new Fact.Unasked<>());
    }

    @Test
    void passesIfRefResolvesAndDocumentsAreValid() {
        var checks = GitChecks.of(whole(desired()), false);

        assertThat(checks)
                .extracting(Check::name)
                .containsExactly(
                        "address",
                        "credentials",
                        "host",
                        "host key",
                        "access",
                        "ref",
                        "documents",
                        "environment",
                        "report branch",
                        "push");
        assertThat(checks).filteredOn(c -> !c.name().equals("push")).allMatch(c -> c instanceof Check.Ok);
    }

    @ParameterizedTest
    @CsvSource({
        "HOST, TEMPORARY, host, 2",
        "TRUST, RIGHTS, host key, 3",
        "ACCESS, RIGHTS, access, 4",
        "REF, CONFIGURATION, ref, 5",
        "SIGNATURE, RIGHTS, signature, 6"
    })
    void passesStagesBeforeFailureAndSkipsLaterOnes(Stage at, Trouble trouble, String name, int passed) {
        var checks = GitChecks.of(stopped(at, trouble), true);

        assertThat(checks.subList(0, passed))
                .allMatch(c -> c instanceof Check.Ok(String _, String seen) && !seen.isEmpty());
        assertThat(checks.get(passed)).isInstanceOfSatisfying(Check.Failed.class, failed -> {
            assertThat(failed.name()).isEqualTo(name);
            assertThat(failed.trouble()).isEqualTo(trouble);
            assertThat(failed.remedy()).isNotEmpty();
        });
        assertThat(checks.subList(passed + 1, checks.size()))
                .allMatch(c -> c instanceof Check.Skipped)
                .filteredOn(c -> !c.name().equals("push"))
                .allMatch(c -> c.toString().contains("because of: " + name));
    }

    @Test
    void showsSignatureOnlyIfRequired() {
        var facts = whole(desired());
        var signed = new GitFacts(
                facts.address(),
                facts.credentials(),
                Fact.seen(new Talk.Resolved("main", "c0ffee", true)),
                facts.documents(),
                facts.environment(),
                facts.branchRecord(),
                facts.push());

        assertThat(GitChecks.of(signed, false)).extracting(Check::name).containsSubsequence("ref", "signature");
        assertThat(GitChecks.of(facts, false)).extracting(Check::name).doesNotContain("signature");
    }

    @Test
    void wrongDocumentsFailAndNothingElseIsSkippedForThem() {
        var violation = Violation.of("unknown-field", Location.ofFile("clusters/a.yaml"), "no such field");

        var checks = GitChecks.of(whole(desired(violation)), false);

        assertThat(Named.check("documents", checks)).isInstanceOfSatisfying(Check.Failed.class, failed -> {
            assertThat(failed.trouble()).isEqualTo(Trouble.DOCUMENTS);
            assertThat(failed.seen()).isEqualTo("0 rings, 1 violation");
            assertThat(failed.remedy().toString()).contains("etcd-gitops validate");
        });
        assertThat(Named.check("report branch", checks)).isInstanceOf(Check.Ok.class);
    }

    @Test
    void omitsHostChecksForLocalRepository() {
        var local = new GitFacts(
                Fact.seen(new Address("/rings", Over.FILE, "", 0)),
                Fact.seen("none"),
                Fact.seen(new Talk.Resolved("HEAD", "c0ffee", false)),
                Fact.seen(desired()),
                Fact.seen("default"),
                Fact.seen(Optional.of("uid")),
                new Fact.Unasked<>());

        assertThat(GitChecks.of(local, false))
                .extracting(Check::name)
                .doesNotContain("host", "host key", "certificate");
    }

    @Test
    void checksPushRightOnlyOnRequest() {
        var facts = whole(desired());
        var refused = new GitFacts(
                facts.address(),
                facts.credentials(),
                facts.talk(),
                facts.documents(),
                facts.environment(),
                facts.branchRecord(),
                new Fact.Unseen<>(Trouble.RIGHTS, "may read and not push"));

        assertThat(Named.check("push", GitChecks.of(facts, false)).toString())
                .contains("Skipped", "--write-check", "reconcile --dry-run");
        assertThat(Named.check("push", GitChecks.of(refused, true)))
                .isInstanceOfSatisfying(
                        Check.Failed.class, f -> assertThat(f.trouble()).isEqualTo(Trouble.RIGHTS));
    }
}
