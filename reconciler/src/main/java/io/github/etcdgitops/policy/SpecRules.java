package io.github.etcdgitops.policy;

import io.github.etcdgitops.ring.backup.Period;
import io.github.etcdgitops.ring.roll.Exposure;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.PolicySelection;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.spec.value.Transport.Mode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Objections of rules to a ring's document: what is broken, and the remedy. Empty where there are none.
final class SpecRules {
    private SpecRules() {}

    static Optional<String> objection(
            Rule rule, EtcdClusterSpec spec, Map<String, Object> document, List<BackupPolicy> backups, Instant now) {
        return switch (rule) {
            case Rule.OddMembers odd -> size(odd, spec.size());
            case Rule.VersionAllowlist versions -> version(versions, spec);
            case Rule.Advisories weak -> advisories(weak, spec, now);
            case Rule.RequireTls tls -> transport(tls, spec.server().tls().transport());
            case Rule.AuthRequired _ -> AuthRules.required(document);
            case Rule.RoleBreadth breadth -> AuthRules.breadth(breadth, spec.auth());
            case Rule.RequireBackup backup -> backup(backup, PolicySelection.of(spec, backups));
            case Rule.SuspendHygiene hygiene -> suspension(hygiene, spec, now);
            case Rule.SecretInSpec _ -> SecretSearch.in(document).map(SpecRules::secret);
            case Rule.MaintenanceWindow _,
                    Rule.Freeze _,
                    Rule.DestructiveApproval _,
                    Rule.BackupFreshness _,
                    Rule.DriftPolicy _,
                    Rule.OfFleet _,
                    Rule.Validation _ -> Optional.empty();
        };
    }

    private static Optional<String> size(Rule.OddMembers rule, int size) {
        return rule.sizes().contains(size)
                ? Optional.empty()
                : Optional.of("size " + size + " is none of " + words(rule.sizes()));
    }

    private static Optional<String> version(Rule.VersionAllowlist rule, EtcdClusterSpec spec) {
        var version = spec.server().version();
        var blocked = rule.blocked().stream()
                .filter(b -> b.versions().contains(version))
                .findFirst();
        if (blocked.isPresent()) {
            return blocked.map(b -> "etcd " + version + " is blocked (" + b.versions() + "): " + b.reason());
        }
        boolean allowed =
                rule.allowed().isEmpty() || rule.allowed().stream().anyMatch(range -> range.contains(version));
        return allowed
                ? Optional.empty()
                : Optional.of("etcd " + version + " is none of the allowed versions " + words(rule.allowed()));
    }

    private static Optional<String> advisories(Rule.Advisories rule, EtcdClusterSpec spec, Instant now) {
        var version = spec.server().version();
        var hitting = spec.catalog().advisories(version, Exposure.of(spec)).stream()
                .filter(a -> a.severity().compareTo(rule.severity()) >= 0)
                .filter(a -> !now.isBefore(
                        a.published().atStartOfDay(ZoneOffset.UTC).toInstant().plus(rule.grace())))
                .toList();
        return hitting.isEmpty()
                ? Optional.empty()
                : Optional.of("etcd " + version + " has " + Exposure.words(hitting) + "; "
                        + Exposure.remedy(spec.catalog(), version, hitting));
    }

    private static Optional<String> transport(Rule.RequireTls rule, Transport transport) {
        if (rule.peer() && transport.peer() != Mode.MUTUAL) {
            return Optional.of("members talk to each other " + in(transport.peer()) + "; set tls.peer to mutual");
        }
        boolean enough = switch (rule.client()) {
            case PLAIN -> true;
            case MIXED -> transport.client().secured();
            case MUTUAL -> transport.client() == Mode.MUTUAL;
        };
        return enough
                ? Optional.empty()
                : Optional.of("clients talk to members " + in(transport.client()) + "; set tls.client to "
                        + Transport.name(rule.client()));
    }

    private static String in(Mode mode) {
        return switch (mode) {
            case PLAIN -> "in plain text";
            case MIXED -> "over TLS and in plain text";
            case MUTUAL -> "over TLS";
        };
    }

    private static Optional<String> backup(Rule.RequireBackup rule, List<BackupPolicy> policies) {
        if (policies.isEmpty()) {
            return Optional.of("no BackupPolicy applies to the ring. Name one in backup.policy, or let one select it");
        }
        var age =
                rule.maxAge().filter(most -> lacks(policies, p -> p.objectives().maxAge(), most));
        if (age.isPresent()) {
            return Optional.of("no BackupPolicy of the ring ensures a backup younger than " + Period.title(age.get())
                    + ": " + names(policies) + "; lower maxAge");
        }
        return rule.drilledWithin()
                .filter(most -> lacks(policies, p -> p.drill().map(BackupPolicy.Drill::every), most))
                .map(most -> "no BackupPolicy of the ring has a drill every " + Period.title(most) + ": "
                        + names(policies) + "; give it a drill");
    }

    private static boolean lacks(
            List<BackupPolicy> policies, Function<BackupPolicy, Optional<Duration>> promise, Duration most) {
        Predicate<BackupPolicy> keeps = policy ->
                promise.apply(policy).filter(p -> p.compareTo(most) <= 0).isPresent();
        return policies.stream().noneMatch(keeps);
    }

    private static String names(List<BackupPolicy> policies) {
        return policies.stream().map(BackupPolicy::name).collect(Collectors.joining(", "));
    }

    private static Optional<String> suspension(Rule.SuspendHygiene rule, EtcdClusterSpec spec, Instant now) {
        return spec.declaration()
                .suspend()
                .filter(s -> s.activeAt(now))
                .flatMap(s -> s.until()
                        .map(until -> until.isAfter(now.plus(rule.longest()))
                                ? Optional.of("the suspension ends on " + until + ", more than "
                                        + Period.title(rule.longest()) + " ahead; set an earlier suspend.until")
                                : Optional.<String>empty())
                        .orElseGet(() -> Optional.of("the suspension never ends; set suspend.until")));
    }

    private static String secret(String pointer) {
        return "the value at " + pointer
                + " looks like a key, a token or a password. Put it into a Secret, and replace it, because it is"
                + " exposed";
    }

    private static String words(List<?> values) {
        return values.stream().map(Object::toString).collect(Collectors.joining(", "));
    }
}
