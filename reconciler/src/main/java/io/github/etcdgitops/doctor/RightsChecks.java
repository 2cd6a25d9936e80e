package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.fact.AccessRight;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.gateway.MemberAccessMode;
import io.github.etcdgitops.gateway.access.ClusterProbe.AccessQuestion;
import io.github.etcdgitops.gateway.access.Permission;
import io.github.etcdgitops.gateway.access.Permission.Need;
import io.github.etcdgitops.gateway.access.Permission.Role;
import io.github.etcdgitops.inert.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Judges the rights of this identity, and prints the missing rules.
final class RightsChecks {
    private RightsChecks() {}

    static List<Check> of(List<AccessRight> rights, Expected expected, String because) {
        boolean executes = expected.identity() == Role.EXECUTOR;
        return List.of(
                group("rights to plan", rights, because, true, r -> is(r, Role.PLANNER, Need.ALWAYS)),
                group("rights to execute", rights, because, executes, r -> is(r, Role.EXECUTOR, Need.ALWAYS)),
                forward(rights, expected.memberAccess(), because),
                group(
                        "right to make namespaces",
                        rights,
                        because,
                        false,
                        r -> is(r, Role.EXECUTOR, Need.NEW_NAMESPACE)),
                group("right to write Events", rights, because, false, r -> is(r, Role.EXECUTOR, Need.EVENTS)),
                group("right to read StorageClasses", rights, because, false, r -> is(r, Role.PLANNER, Need.GROWTH)),
                group("right to list ResourceQuotas", rights, because, false, r -> is(r, Role.PLANNER, Need.QUOTAS)),
                group("rights to read nodes", rights, because, false, r -> is(r, Role.PLANNER, Need.MACHINES)),
                group(
                        "right to replace StatefulSets",
                        rights,
                        because,
                        false,
                        r -> is(r, Role.EXECUTOR, Need.RECREATION)),
                group("right to replace lost volumes", rights, because, false, r -> is(r, Role.EXECUTOR, Need.REPAIR)),
                group("rights to delete rings", rights, because, false, r -> is(r, Role.EXECUTOR, Need.DELETION)),
                group("rights to restore", rights, because, false, r -> is(r, Role.EXECUTOR, Need.RESTORE)));
    }

    private static Check forward(List<AccessRight> rights, MemberAccessMode memberAccess, String because) {
        String name = "right to port-forward";
        return memberAccess == MemberAccessMode.POD_IP
                ? new Check.Skipped(name, "not needed with --member-access pod-ip")
                : group(
                        name,
                        rights,
                        because,
                        memberAccess == MemberAccessMode.PORT_FORWARD,
                        r -> is(r, Role.PLANNER, Need.PORT_FORWARD));
    }

    private static boolean is(AccessRight right, Role role, Need need) {
        return right.question().permission().role() == role
                && right.question().permission().need() == need;
    }

    private static Check group(
            String name, List<AccessRight> rights, String because, boolean required, Predicate<AccessRight> which) {
        var asked = rights.stream().filter(which).toList();
        if (asked.isEmpty()) {
            return new Check.Skipped(name, because);
        }
        for (AccessRight right : asked) {
            if (right.allowed() instanceof Fact.Unseen<Boolean>(Trouble trouble, String reason)) {
                return new Check.Failed(
                        name,
                        trouble,
                        "could not be asked: " + reason,
                        List.of("bind the ClusterRole system:basic-user, which lets everybody ask about themselves"));
            }
        }
        var denied = asked.stream()
                .filter(r -> !r.allowed().optional().orElse(false))
                .map(AccessRight::question)
                .toList();
        if (denied.isEmpty()) {
            return new Check.Ok(name, Count.of(asked.size(), "right") + ", all granted");
        }
        String seen = denied.size() + " of " + Count.of(asked.size(), "right") + " denied";
        return required
                ? new Check.Failed(name, Trouble.RIGHTS, seen, rules(denied))
                : new Check.Warning(name, seen + optional(denied), rules(denied));
    }

    private static String optional(List<AccessQuestion> denied) {
        return switch (denied.getFirst().permission().need()) {
            case ALWAYS -> ": right for an identity that only plans";
            case PORT_FORWARD -> ": needed only where pod IPs cannot be reached from here";
            case NEW_NAMESPACE -> ": needed only to create the namespaces of rings";
            case RESTORE -> ": needed only for restores and drills";
            case GROWTH -> ": needed only where volumes grow";
            case QUOTAS -> ": without it a run works, but a plan does not say that a quota leaves no room";
            case MACHINES ->
                ": needed only to find out what happened to a node, and to a volume that only this node has";
            case RECREATION -> ": needed only where volumes grow, or rings are adopted";
            case DELETION -> ": needed only where rings are deleted";
            case REPAIR -> ": needed only where lost volumes are replaced";
            case TLS -> ": needed only for rings with TLS";
            case AUTH -> ": needed only for rings with users";
            case CERT_MANAGER -> ": needed only for rings whose certificates cert-manager makes";
            case EVENTS -> ": without it a run works, but `kubectl describe` shows no Events";
        };
    }

    /// One rule per line, as YAML, below the place where it belongs.
    static List<String> rules(List<AccessQuestion> denied) {
        var places = new TreeMap<String, TreeMap<String, TreeSet<String>>>();
        for (AccessQuestion question : denied) {
            Permission permission = question.permission();
            places.computeIfAbsent(question.namespace(), _ -> new TreeMap<>())
                    .computeIfAbsent(
                            "apiGroups: [\"" + permission.apiGroup() + "\"], resources: [" + permission.target() + "]",
                            _ -> new TreeSet<>())
                    .add(permission.verb());
        }
        var lines = new ArrayList<String>();
        places.forEach((namespace, rules) -> {
            lines.add(
                    namespace.isEmpty()
                            ? "add to the rules of its ClusterRole:"
                            : "add to the rules of its Role in namespace " + namespace + ", or of its ClusterRole:");
            rules.forEach((what, verbs) -> lines.add("- {" + what + ", verbs: [" + String.join(", ", verbs) + "]}"));
        });
        return List.copyOf(lines);
    }
}
