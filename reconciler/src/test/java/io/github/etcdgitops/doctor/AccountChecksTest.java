package io.github.etcdgitops.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.doctor.exam.AccessQuestions;
import io.github.etcdgitops.doctor.exam.AccountExam;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.access.ActingAccount;
import io.github.etcdgitops.gateway.access.ClusterProbe;
import io.github.etcdgitops.gateway.access.ServiceAccount;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class AccountChecksTest {
    private static final ServiceAccount ACCOUNT = new ServiceAccount("team-a", "etcd-a");
    private static final String TITLE = "account team-a/etcd-a";

    /// An API server with these answers.
    private record Probe(
            boolean impersonable,
            boolean there,
            Predicate<AccessQuestion> itself,
            BiPredicate<AccessQuestion, ServiceAccount> account)
            implements ClusterProbe {
        @Override
        public Server server() {
            throw new UnsupportedOperationException();
        }

        @Override
        public SortedSet<String> apis() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<String> defaultStorageClasses() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean allows(AccessQuestion question) {
            return itself.test(question);
        }

        @Override
        public boolean allows(AccessQuestion question, ServiceAccount as) {
            if (!impersonable) {
                throw new GatewayException(GatewayException.Kind.UNAUTHORIZED, false, "HTTP 403");
            }
            return account.test(question, as);
        }

        @Override
        public boolean mayImpersonate(ServiceAccount asked) {
            return impersonable;
        }

        @Override
        public boolean exists(ServiceAccount asked) {
            return there;
        }
    }

    private static boolean inItsNamespace(ClusterProbe.AccessQuestion question, ServiceAccount account) {
        return question.namespace().equals(account.namespace());
    }

    private static List<Check> checks(Probe probe, ActingAccount acting) {
        var rings = new TreeMap<ClusterRef, ActingAccount>();
        rings.put(new ClusterRef("team-a", "orders"), acting);
        rings.put(new ClusterRef("team-a", "carts"), acting);
        return new AccountExam(probe)
                .look(rings).stream().map(AccountChecks::of).toList();
    }

    private static List<Check> checks(Probe probe) {
        return checks(probe, new ActingAccount.As(ACCOUNT));
    }

    @Test
    void acceptsAccountWithRightsOnlyInItsNamespace() {
        var checks = checks(new Probe(true, true, _ -> false, AccountChecksTest::inItsNamespace));

        assertThat(checks).hasSize(2).allMatch(check -> check instanceof Check.Ok);
        assertThat(checks).extracting(Check::name).containsExactly("rights of its own", TITLE);
    }

    @Test
    void failsWhereTheAccountMayNotBeImpersonated() {
        assertThat(checks(new Probe(false, true, _ -> false, (_, _) -> true)).getLast())
                .isInstanceOfSatisfying(Check.Failed.class, failed -> {
                    assertThat(failed.seen()).isEqualTo("this identity may not impersonate it");
                    assertThat(failed.trouble()).isEqualTo(Trouble.RIGHTS);
                });
    }

    @Test
    void failsWhereTheAccountMayNothing() {
        assertThat(checks(new Probe(true, true, _ -> false, (_, _) -> false)).getLast())
                .isInstanceOfSatisfying(
                        Check.Failed.class,
                        failed -> assertThat(failed.remedy())
                                .first()
                                .asString()
                                .contains("its Role in namespace team-a"));
    }

    @Test
    void warnsOfAnAccountThatIsNotThere() {
        assertThat(checks(new Probe(true, false, _ -> false, AccountChecksTest::inItsNamespace))
                        .getLast())
                .isInstanceOfSatisfying(
                        Check.Warning.class, w -> assertThat(w.seen()).startsWith("it does not exist"));
    }

    @Test
    void warnsOfAnAccountWithRightsInOtherNamespaces() {
        assertThat(checks(new Probe(true, true, _ -> false, (_, _) -> true)).getLast())
                .isInstanceOfSatisfying(
                        Check.Warning.class, w -> assertThat(w.seen()).startsWith("it has rights in other namespaces"));
    }

    @Test
    void warnsOfExecutorThatNeedsNoImpersonation() {
        assertThat(checks(new Probe(true, true, _ -> true, AccountChecksTest::inItsNamespace))
                        .getFirst())
                .isInstanceOfSatisfying(
                        Check.Warning.class, w -> assertThat(w.seen()).startsWith("this identity may do by itself"));
    }

    @Test
    void failsForRingWithoutAccount() {
        assertThat(checks(new Probe(true, true, _ -> false, (_, _) -> true), new ActingAccount.Nobody("no account"))
                        .getLast())
                .isInstanceOfSatisfying(
                        Check.Failed.class, failed -> assertThat(failed.seen()).isEqualTo("no account"));
    }

    @Test
    void saysNothingWithoutImpersonation() {
        assertThat(checks(new Probe(true, true, _ -> true, (_, _) -> true), new ActingAccount.Itself()))
                .isEmpty();
    }

    @Test
    void asksImpersonatingIdentityOnlyForItsOwnRights() {
        assertThat(new AccessQuestions(List.of(), "ops").impersonating())
                .allSatisfy(q -> assertThat(q.permission().verb().equals("list")
                                || List.of("storageclasses", "nodes", "persistentvolumes")
                                        .contains(q.permission().resource())
                                || List.of("kube-system", "ops").contains(q.namespace()))
                        .isTrue());
    }

    @Test
    void asksRingAccountForItsLists() {
        assertThat(new AccessQuestions(List.of(), "ops").impersonating())
                .noneMatch(q -> List.of("events", "resourcequotas")
                        .contains(q.permission().resource()));
        assertThat(AccessQuestions.ofAccount("demo"))
                .filteredOn(q -> q.permission().verb().equals("list"))
                .extracting(q -> q.permission().resource())
                .containsExactlyInAnyOrder("pods", "statefulsets", "events", "resourcequotas");
    }
}
