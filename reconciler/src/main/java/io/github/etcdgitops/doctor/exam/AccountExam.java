package io.github.etcdgitops.doctor.exam;

import io.github.etcdgitops.doctor.fact.AccessRight;
import io.github.etcdgitops.doctor.fact.AccountFacts;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.gateway.access.ActingAccount;
import io.github.etcdgitops.gateway.access.ClusterProbe;
import io.github.etcdgitops.gateway.access.ClusterProbe.AccessQuestion;
import io.github.etcdgitops.gateway.access.ServiceAccount;
import io.github.etcdgitops.pipeline.environment.Parallel;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Stream;

/// Checks each account that is impersonated for rings.
public final class AccountExam {
    private static final int REVIEWS_AT_ONCE = 16;

    private final ClusterProbe probe;

    public AccountExam(ClusterProbe probe) {
        this.probe = probe;
    }

    /// Empty without impersonation; else this identity's own rights, and then each account.
    public List<AccountFacts> look(SortedMap<ClusterRef, ActingAccount> acting) {
        var accounts = accounts(acting);
        return accounts.isEmpty()
                ? accounts
                : Stream.concat(Stream.of(itself()), accounts.stream()).toList();
    }

    private AccountFacts itself() {
        Function<AccessQuestion, AccessRight> ask = q -> new AccessRight(q, Asking.of(() -> probe.allows(q)));
        return new AccountFacts(
                AccountFacts.ITSELF,
                Fact.seen(true),
                Fact.seen(true),
                List.of(),
                Parallel.map(AccessQuestions.excessive(), REVIEWS_AT_ONCE, ask));
    }

    private List<AccountFacts> accounts(SortedMap<ClusterRef, ActingAccount> acting) {
        return acting.values().stream()
                .distinct()
                .filter(ActingAccount::byAccount)
                .map(a -> switch (a) {
                    case ActingAccount.As(ServiceAccount account) -> look(account);
                    case ActingAccount.Nobody(String reason) -> nobody(reason);
                    case ActingAccount.Itself _, ActingAccount.Reader _ -> throw new IllegalStateException("filtered");
                })
                .toList();
    }

    private static AccountFacts nobody(String reason) {
        return new AccountFacts(
                "account of a ring",
                new Fact.Unseen<>(Trouble.CONFIGURATION, reason),
                new Fact.Unasked<>(),
                List.of(),
                List.of());
    }

    private AccountFacts look(ServiceAccount account) {
        String title = "account " + account;
        var impersonable = Asking.of(() -> probe.mayImpersonate(account));
        var exists = Asking.of(() -> probe.exists(account));
        if (!impersonable.optional().orElse(false)) {
            return new AccountFacts(title, impersonable, exists, List.of(), List.of());
        }
        Function<AccessQuestion, AccessRight> ask = q -> new AccessRight(q, Asking.of(() -> probe.allows(q, account)));
        return new AccountFacts(
                title,
                impersonable,
                exists,
                Parallel.map(AccessQuestions.ofAccount(account.namespace()), REVIEWS_AT_ONCE, ask),
                Parallel.map(AccessQuestions.excessive(), REVIEWS_AT_ONCE, ask));
    }
}
