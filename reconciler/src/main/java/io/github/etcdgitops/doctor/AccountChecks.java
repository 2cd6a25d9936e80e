package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.fact.AccessRight;
import io.github.etcdgitops.doctor.fact.AccountFacts;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.gateway.access.ClusterProbe.AccessQuestion;
import io.github.etcdgitops.gateway.access.Permission.Need;
import io.github.etcdgitops.inert.Count;
import java.util.List;
import java.util.stream.Stream;

/// Judges one impersonated account.
final class AccountChecks {
    private AccountChecks() {}

    static Check of(AccountFacts facts) {
        return switch (facts.impersonable()) {
            case Fact.Seen<Boolean>(Boolean may) when may -> ofAccount(facts);
            case Fact.Seen<Boolean> _ ->
                new Check.Failed(
                        facts.title(),
                        Trouble.RIGHTS,
                        "this identity may not impersonate it",
                        List.of("install cronjob/overlays/impersonated/tenant-namespace in its namespace, or correct"
                                + " serviceAccount of the tenant"));
            case Fact.Unseen<Boolean>(Trouble trouble, String reason) ->
                new Check.Failed(facts.title(), trouble, reason, List.of());
            case Fact.Unasked<Boolean> _ -> new Check.Skipped(facts.title(), "not asked");
        };
    }

    private static Check ofAccount(AccountFacts facts) {
        var unseen = Stream.concat(facts.rights().stream(), facts.excess().stream())
                .filter(right -> right.allowed().optional().isEmpty())
                .findFirst();
        if (unseen.isPresent()) {
            return new Check.Failed(
                    facts.title(),
                    Trouble.RIGHTS,
                    "its rights could not be asked for",
                    List.of("bind the ClusterRole system:basic-user, which lets everybody ask about themselves"));
        }
        var denied = asked(facts.rights(), false);
        var needed = denied.stream()
                .filter(q -> q.permission().need() == Need.ALWAYS)
                .toList();
        if (!needed.isEmpty()) {
            return new Check.Failed(
                    facts.title(),
                    Trouble.RIGHTS,
                    denied.size() + " of " + Count.of(facts.rights().size(), "right") + " denied",
                    RightsChecks.rules(denied));
        }
        if (facts.exists().optional().filter(there -> !there).isPresent()) {
            return new Check.Warning(
                    facts.title(),
                    "it does not exist, and a RoleBinding names it all the same",
                    List.of("create the ServiceAccount, or correct serviceAccount of the tenant"));
        }
        boolean excessive = !asked(facts.excess(), true).isEmpty();
        if (facts.title().equals(AccountFacts.ITSELF)) {
            return itself(excessive);
        }
        return excessive
                ? new Check.Warning(
                        facts.title(),
                        "it has rights in other namespaces, which documents can use",
                        List.of("bind a Role of its own namespace to it, and no ClusterRole by a ClusterRoleBinding"))
                : granted(facts, denied);
    }

    private static Check itself(boolean excessive) {
        return excessive
                ? new Check.Warning(
                        AccountFacts.ITSELF,
                        "this identity may do by itself what it impersonates accounts for",
                        List.of("take its other ClusterRoles away: cronjob/components/impersonation has all it needs"))
                : new Check.Ok(AccountFacts.ITSELF, "they reach no ring");
    }

    private static Check granted(AccountFacts facts, List<AccessQuestion> denied) {
        String all = Count.of(facts.rights().size(), "right");
        return denied.isEmpty()
                ? new Check.Ok(facts.title(), all + ", all granted")
                : new Check.Warning(
                        facts.title(),
                        denied.size() + " of " + all + " denied: needed only for some operations",
                        RightsChecks.rules(denied));
    }

    private static List<AccessQuestion> asked(List<AccessRight> rights, boolean allowed) {
        return rights.stream()
                .filter(right -> right.allowed().optional().orElse(false) == allowed)
                .map(AccessRight::question)
                .toList();
    }
}
