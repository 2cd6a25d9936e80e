package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.release.Advisory;
import io.github.etcdgitops.spec.ring.RuleKind.Phase;
import io.github.etcdgitops.spec.time.Windows;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.spec.value.VersionRange;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;

/// A rule of a policy, with its parameters. The page of each is `policies/NAME.md`.
public sealed interface Rule {
    RuleKind kind();

    /// The name in exemptions and reports.
    default String id() {
        return kind().toString();
    }

    default Phase phase() {
        return kind().phase();
    }

    /// Rings have one of these sizes.
    record OddMembers(List<Integer> sizes) implements Rule {
        public static final List<Integer> ODD = List.of(1, 3, 5, 7, 9);

        public OddMembers {
            sizes = sizes.stream().sorted().toList();
        }

        @Override
        public RuleKind kind() {
            return RuleKind.ODD_MEMBERS;
        }
    }

    /// The version is in one of `allowed`, where there are some, and in none of `blocked`.
    record VersionAllowlist(List<VersionRange> allowed, List<Blocked> blocked) implements Rule {
        public VersionAllowlist {
            allowed = List.copyOf(allowed);
            blocked = List.copyOf(blocked);
        }

        /// `reason` is for people.
        public record Blocked(VersionRange versions, String reason) {}

        @Override
        public RuleKind kind() {
            return RuleKind.VERSION_ALLOWLIST;
        }
    }

    /// No advisory of at least this severity hits the ring for longer than `grace` after it was published.
    record Advisories(Advisory.Severity severity, Duration grace) implements Rule {
        @Override
        public RuleKind kind() {
            return RuleKind.ADVISORIES;
        }
    }

    /// During a move of clients from plain text to TLS, a ring that serves both also satisfies `client`.
    record RequireTls(boolean peer, Transport.Mode client) implements Rule {
        @Override
        public RuleKind kind() {
            return RuleKind.REQUIRE_TLS;
        }
    }

    /// The ring's document enables authentication.
    record AuthRequired() implements Rule {
        @Override
        public RuleKind kind() {
            return RuleKind.AUTH_REQUIRED;
        }
    }

    /// Each grant of a role is inside one of `prefixes`; without any, no role covers every key. Roles named in
    /// `except` may.
    record RoleBreadth(SortedSet<String> prefixes, SortedSet<String> except) implements Rule {
        public RoleBreadth {
            prefixes = Collections.unmodifiableSortedSet(new TreeSet<>(prefixes));
            except = Collections.unmodifiableSortedSet(new TreeSet<>(except));
        }

        @Override
        public RuleKind kind() {
            return RuleKind.ROLE_BREADTH;
        }
    }

    /// A policy applies to the ring by which a backup is never older than `maxAge`, and which drills a
    /// backup every `drilledWithin`.
    record RequireBackup(Optional<Duration> maxAge, Optional<Duration> drilledWithin) implements Rule {
        @Override
        public RuleKind kind() {
            return RuleKind.REQUIRE_BACKUP;
        }
    }

    /// A suspension has an end, and it is no further away than `longest`.
    record SuspendHygiene(Duration longest) implements Rule {
        @Override
        public RuleKind kind() {
            return RuleKind.SUSPEND_HYGIENE;
        }
    }

    record SecretInSpec() implements Rule {
        @Override
        public RuleKind kind() {
            return RuleKind.SECRET_IN_SPEC;
        }
    }

    /// Operations of `minRisk` and above start only in a window, and so early that they end in it, with
    /// `margin` to spare. With `repairs` that also applies to repairs.
    record MaintenanceWindow(Windows windows, Duration margin, Risk minRisk, boolean repairs) implements Rule {
        @Override
        public RuleKind kind() {
            return RuleKind.MAINTENANCE_WINDOW;
        }
    }

    /// Operations of `minRisk` and above do not start before `until`; from `from` on, where it is given.
    record Freeze(Optional<Instant> from, Instant until, String reason, Risk minRisk, boolean repairs) implements Rule {
        @Override
        public RuleKind kind() {
            return RuleKind.FREEZE;
        }
    }

    /// Operations of `minRisk` and above, and those of the kinds `operations`, need approvals of
    /// `approvers` people, none of whom wrote the change, unless `authorMayApprove`.
    record DestructiveApproval(Risk minRisk, SortedSet<String> operations, int approvers, boolean authorMayApprove)
            implements Rule {
        public DestructiveApproval {
            operations = Collections.unmodifiableSortedSet(new TreeSet<>(operations));
        }

        @Override
        public RuleKind kind() {
            return RuleKind.DESTRUCTIVE_APPROVAL;
        }
    }

    /// Operations of `minRisk` and above start where a verified backup of the ring is no older than
    /// `maxAge`, and a drill passed within `drilledWithin`. With `repairs` that also applies to repairs.
    record BackupFreshness(Duration maxAge, Optional<Duration> drilledWithin, Risk minRisk, boolean repairs)
            implements Rule {
        @Override
        public RuleKind kind() {
            return RuleKind.BACKUP_FRESHNESS;
        }
    }

    /// How manual drift is handled.
    record DriftPolicy(DriftHandling handling) implements Rule {
        @Override
        public RuleKind kind() {
            return RuleKind.DRIFT_POLICY;
        }
    }

    /// Rules that need all rings, about operations of `minRisk` and above.
    sealed interface OfFleet extends Rule {
        Risk minRisk();
    }

    /// After a change of a ring that could have cost a member, the next one of `minRisk` and above starts
    /// `between` later at the earliest.
    record CoolDown(Duration between, Risk minRisk) implements OfFleet {
        @Override
        public RuleKind kind() {
            return RuleKind.COOL_DOWN;
        }
    }

    /// Operations of `minRisk` and above start in the rings of a wave once the rings of earlier waves have
    /// none of them left, are healthy, and have not changed for `soak`. Rings that no wave selects are the
    /// last one.
    record Waves(List<RingSelector> order, Duration soak, Risk minRisk) implements OfFleet {
        public Waves {
            order = List.copyOf(order);
        }

        /// Counted from 0.
        public int of(EtcdClusterSpec ring) {
            int wave = 0;
            while (wave < order.size() && !order.get(wave).selects(ring)) {
                wave++;
            }
            return wave;
        }

        @Override
        public RuleKind kind() {
            return RuleKind.WAVES;
        }
    }

    /// Operations of `minRisk` and above are under way in at most `most` rings at a time; per value of the
    /// label `by`, where one is named.
    record MaxParallel(int most, Optional<String> by, Risk minRisk) implements OfFleet {
        @Override
        public RuleKind kind() {
            return RuleKind.MAX_PARALLEL;
        }
    }

    /// One run starts operations of `minRisk` and above in at most `most` rings, and in at most `percent`
    /// percent of them where there are `minRings` or more.
    record BlastRadius(OptionalInt most, OptionalInt percent, int minRings, Risk minRisk) implements OfFleet {
        @Override
        public RuleKind kind() {
            return RuleKind.BLAST_RADIUS;
        }
    }

    /// A user-defined expression with a `name`. `phase` says what it is about.
    record Validation(String name, Phase phase, Question question) implements Rule {
        @Override
        public RuleKind kind() {
            return RuleKind.VALIDATION;
        }

        @Override
        public String id() {
            return name;
        }
    }

    /// A parsed expression.
    interface Question {
        /// Its objection to the facts; empty where it has none. An expression that cannot be evaluated is
        /// an objection.
        Optional<String> objection(Facts facts);
    }

    /// What expressions see: the ring's document with its defaults, the operation that would start, if it
    /// is about one, and the time. Maps, lists, texts, truth values, and whole numbers as `Long`.
    record Facts(
            Map<String, Object> object, Optional<Map<String, Object>> operation, Instant now, Allowance allowance) {
        public Facts {
            object = Map.copyOf(object);
        }

        /// For a question that is evaluated alone.
        public Facts(Map<String, Object> object, Optional<Map<String, Object>> operation, Instant now) {
            this(object, operation, now, new Allowance());
        }
    }

    /// The limit in steps for all expressions about one document or one operation together. A limit for
    /// each expression alone does not help where there are hundreds, nor does one for each ring where there
    /// are thousands. All rings have equal shares, so that the result for one does not depend on earlier
    /// ones.
    final class Allowance {
        public static final int MOST = 1_000_000;
        public static final int MOST_OF_ALL = 50_000_000;

        private final int most;
        private int left;

        /// For a single ring.
        public Allowance() {
            this(1);
        }

        /// For one among `rings` rings.
        public Allowance(int rings) {
            most = Math.min(MOST, MOST_OF_ALL / Math.max(1, rings));
            left = most;
        }

        public int most() {
            return most;
        }

        public int left() {
            return left;
        }

        public void take(int steps) {
            left = Math.max(0, left - steps);
        }
    }
}
