package io.github.etcdgitops.ring;

import io.github.etcdgitops.spec.value.WireName;
import java.util.Set;

/// Something a person should know about a ring. `code` is stable and in kebab case. `fault` says whether a
/// document must change; sorting ignores it.
public record Finding(Level level, String code, String message, Fault fault) implements Comparable<Finding> {
    /// The code of a finding where a rule forbids what a document asks for.
    public static final String DOCUMENT_REJECTED = "document-rejected";

    /// The code of a finding about the point after which a change cannot be undone.
    public static final String NO_WAY_BACK = "no-way-back";

    /// Errors with these codes mean that this ring cannot have what a document asks for. Only a changed
    /// document ends them.
    private static final Set<String> OF_DOCUMENTS = Set.of(
            "adopt-differs",
            "bootstrap-incomplete",
            "cannot-be-rendered",
            DOCUMENT_REJECTED,
            "issuer-changes",
            "member-replacement-of-one",
            "member-replacement-unclear",
            "no-learners",
            "no-way-to-version",
            "nothing-to-adopt",
            "quota-below-data",
            "restore-refused",
            "snapshot-too-late",
            "storage-cannot-grow",
            "storage-class-changes",
            "storage-shrinks",
            "tls-needs-newer-etcd",
            "tls-off",
            "tombstone-no-policy",
            "tombstone-too-early",
            "volume-reset-of-one",
            "volumes-deleted");

    public Finding(Level level, String code, String message) {
        this(level, code, message, level == Level.ERROR && OF_DOCUMENTS.contains(code) ? Fault.DOCUMENT : Fault.NONE);
    }

    /// A policy refuses the ring's document.
    public boolean denies() {
        return fault == Fault.POLICY;
    }

    /// Reports show it before all other findings.
    public boolean cannotBeTakenBack() {
        return code.equals(NO_WAY_BACK);
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
