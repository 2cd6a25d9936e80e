package io.github.etcdgitops.ring;

import io.github.etcdgitops.spec.value.WireName;
import java.util.Optional;

/// Something a person should know about a ring. `code` is stable and in kebab case: the wire name of `kind`,
/// or the name of a policy's rule, and then `kind` is empty. `fault` says whether a document must change;
/// sorting ignores it.
public record Finding(Level level, String code, Optional<FindingCode> kind, String message, Fault fault)
        implements Comparable<Finding> {
    public Finding(Level level, FindingCode kind, String message) {
        this(
                level,
                kind.wire(),
                Optional.of(kind),
                message,
                level == Level.ERROR && kind.ofDocument() ? Fault.DOCUMENT : Fault.NONE);
    }

    public static Finding ofRule(Level level, String rule, String message, Fault fault) {
        return new Finding(level, rule, Optional.empty(), message, fault);
    }

    public static Finding ofRule(Level level, String rule, String message) {
        return ofRule(level, rule, message, Fault.NONE);
    }

    public boolean is(FindingCode code) {
        return kind.filter(k -> k == code).isPresent();
    }

    /// Whether it explains why a ring is not restored.
    public boolean hindersRestore() {
        return level == Level.ERROR
                || is(FindingCode.RESTORE_AWAITED)
                || is(FindingCode.RESTORE_REFUSED)
                || is(FindingCode.SUSPENDED);
    }

    /// A policy refuses the ring's document.
    public boolean denies() {
        return fault == Fault.POLICY;
    }

    /// Reports show it before all other findings.
    public boolean cannotBeTakenBack() {
        return is(FindingCode.NO_WAY_BACK);
    }

    /// ERROR blocks changes to this ring.
    public enum Level implements WireName {
        ERROR,
        WARNING,
        NOTE;

        @Override
        public String wire() {
            return switch (this) {
                case ERROR -> "error";
                case WARNING -> "warning";
                case NOTE -> "note";
            };
        }
    }

    /// What must change to end the finding.
    public enum Fault implements WireName {
        /// Nothing in Git: the ring is not in the required state, or the finding is only information.
        NONE,
        /// A document asks for what is impossible for this ring.
        DOCUMENT,
        /// A document breaks a rule of a policy.
        POLICY;

        @Override
        public String wire() {
            return switch (this) {
                case NONE -> "none";
                case DOCUMENT -> "document";
                case POLICY -> "policy";
            };
        }
    }

    @Override
    public int compareTo(Finding other) {
        int byMoment = Boolean.compare(other.cannotBeTakenBack(), cannotBeTakenBack());
        if (byMoment != 0) {
            return byMoment;
        }
        int byLevel = level.compareTo(other.level);
        int byCode = byLevel != 0 ? byLevel : code.compareTo(other.code);
        return byCode != 0 ? byCode : message.compareTo(other.message);
    }
}
