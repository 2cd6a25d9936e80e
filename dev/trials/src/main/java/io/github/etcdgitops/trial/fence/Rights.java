package io.github.etcdgitops.trial.fence;

import io.github.etcdgitops.gateway.access.Permission;
import io.github.etcdgitops.gateway.access.Permissions;
import io.github.etcdgitops.trial.bench.RunMetrics;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Requests that runs made, beside the rights that the product asks for.
public final class Rights {
    /// Newer API servers ask for it where older ones ask for `get`; no request shows it.
    private static final Set<String> OF_NEWER_SERVERS = Set.of("create pods/portforward");

    private Rights() {}

    /// Every request has a right.
    public static void demandAll(List<RunMetrics> runs) {
        demand(runs, _ -> true);
    }

    /// The planner's rights are enough.
    public static void demandPlanner(List<RunMetrics> runs) {
        demand(runs, right -> right.role() == Permission.Role.PLANNER);
    }

    /// Rights that no request made use of; those to Secrets are for rings with TLS or users, which these are not.
    public static SortedSet<String> unused(List<RunMetrics> runs) {
        var secrets = EnumSet.of(Permission.Need.TLS, Permission.Need.AUTH, Permission.Need.CERT_MANAGER);
        var unused = names(right -> !secrets.contains(right.need()));
        unused.removeAll(used(runs));
        unused.removeAll(OF_NEWER_SERVERS);
        return unused;
    }

    private static void demand(List<RunMetrics> runs, Predicate<Permission> rights) {
        var without = used(runs);
        without.removeAll(names(rights));
        TrialFailure.unless(without.isEmpty(), "requests that no right was asked for: " + without);
    }

    /// Discovery is everybody's.
    private static SortedSet<String> used(List<RunMetrics> runs) {
        return runs.stream()
                .flatMap(run -> run.apiCalls().keySet().stream())
                .filter(call -> !call.contains(" /"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static SortedSet<String> names(Predicate<Permission> which) {
        return Permissions.ALL.stream()
                .filter(which)
                .map(right -> right.verb() + " " + right.target())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
