package io.github.etcdgitops.spec.ring;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The kinds of rules in policies, by their names in documents and reports.
public enum RuleKind {
    ODD_MEMBERS("odd-members", Phase.SPEC, Effect.DENY, "how many members a ring may have"),
    VERSION_ALLOWLIST("version-allowlist", Phase.SPEC, Effect.DENY, "which versions of etcd a ring may run"),
    ADVISORIES("advisories", Phase.SPEC, Effect.WARN, "which security advisories may hit a ring"),
    REQUIRE_TLS("require-tls", Phase.SPEC, Effect.DENY, "that members and clients use TLS"),
    AUTH_REQUIRED("auth-required", Phase.SPEC, Effect.DENY, "that clients sign in, and are users of the ring"),
    ROLE_BREADTH("role-breadth", Phase.SPEC, Effect.DENY, "which keys a role may cover"),
    REQUIRE_BACKUP(
            "require-backup", Phase.SPEC, Effect.DENY, "that a BackupPolicy takes backups, and tests them with drills"),
    SUSPEND_HYGIENE("suspend-hygiene", Phase.SPEC, Effect.WARN, "that a suspension has an end"),
    SECRET_IN_SPEC(
            "secret-in-spec", Phase.SPEC, Effect.DENY, "that no document of a ring contains keys, tokens or passwords"),
    MAINTENANCE_WINDOW("maintenance-window", Phase.OPERATION, Effect.HOLD, "when rings may be changed"),
    FREEZE("freeze", Phase.OPERATION, Effect.HOLD, "when nothing may be changed"),
    DESTRUCTIVE_APPROVAL(
            "destructive-approval",
            Phase.OPERATION,
            Effect.REQUIRE_APPROVAL,
            "which operations people must approve, and how many people"),
    BACKUP_FRESHNESS(
            "backup-freshness", Phase.OPERATION, Effect.HOLD, "how old a backup may be when a ring is changed"),
    COOL_DOWN("cool-down", Phase.FLEET, Effect.HOLD, "how long after a change a ring is not changed again"),
    WAVES("waves", Phase.FLEET, Effect.HOLD, "which rings are changed before others, and how long those are observed"),
    MAX_PARALLEL("max-parallel", Phase.FLEET, Effect.HOLD, "how many rings may be changed at a time"),
    BLAST_RADIUS("blast-radius", Phase.FLEET, Effect.REQUIRE_APPROVAL, "how many rings one run may change"),
    DRIFT_POLICY("drift-policy", Phase.OBJECTS, Effect.WARN, "what happens to manual changes"),
    /// Each has its own name, and says itself what it is about.
    VALIDATION("validation", Phase.SPEC, Effect.DENY, "what an expression in the policy requires");

    private final String id;
    private final Phase phase;
    private final Effect effect;
    private final String about;

    RuleKind(String id, Phase phase, Effect effect, String about) {
        this.id = id;
        this.phase = phase;
        this.effect = effect;
        this.about = about;
    }

    /// What a rule is about.
    public enum Phase {
        /// A ring's document alone: a breach blocks every change to the ring.
        SPEC("rings"),
        /// One planned operation.
        OPERATION("operations"),
        /// The objects around a ring that were changed by hand: it forbids nothing.
        OBJECTS("objects"),
        /// The operations of all rings together, and the state of the rings: it is decided where all rings
        /// are known.
        FLEET("fleets");

        private final String what;

        Phase(String what) {
            this.what = what;
        }

        /// The subject, for people.
        @Override
        public String toString() {
            return what;
        }
    }

    /// The built-in kinds.
    public static List<RuleKind> builtIn() {
        return Arrays.stream(values()).filter(kind -> kind != VALIDATION).toList();
    }

    public static Optional<RuleKind> of(String id) {
        return builtIn().stream().filter(kind -> kind.id.equals(id)).findFirst();
    }

    public Phase phase() {
        return phase;
    }

    /// The default where a policy names none.
    public Effect effect() {
        return effect;
    }

    /// What it requires, in a phrase.
    public String about() {
        return about;
    }

    /// `odd-members`.
    @Override
    public String toString() {
        return id;
    }
}
