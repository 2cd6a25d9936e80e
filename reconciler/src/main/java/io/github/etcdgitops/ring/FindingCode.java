package io.github.etcdgitops.ring;

import io.github.etcdgitops.spec.value.WireName;

/// What a finding is about, by its stable name in reports.
///
/// An error with one that is `ofDocument` means that a ring cannot have what a document asks for: only a
/// changed document ends it.
public enum FindingCode implements WireName {
    ADOPT_CHANGES("adopt-changes"),
    ADOPT_DIFFERS("adopt-differs", true),
    ADOPT_OVERTAKEN("adopt-overtaken"),
    ADOPT_REFUSED("adopt-refused"),
    ADOPT_SAME("adopt-same"),
    ADOPT_UNKNOWN("adopt-unknown"),
    ADVISORY("advisory"),
    APPROVAL_BY_NAME("approval-by-name"),
    APPROVAL_RULES_RELAXED("approval-rules-relaxed"),
    APPROVED("approved"),
    AUTH_AFTER_UPGRADE("auth-after-upgrade"),
    /// Somebody else has disabled authentication.
    AUTH_DISABLED("auth-disabled"),
    AUTH_STAYS("auth-stays"),
    AUTH_UNKNOWN("auth-unknown"),
    AUTHORITY_OVERLAP("authority-overlap"),
    BACKUP_DAMAGED("backup-damaged"),
    BACKUP_POLICY_MISSING("backup-policy-missing"),
    BACKUP_POLICY_REJECTED("backup-policy-rejected"),
    BACKUP_TOO_OLD("backup-too-old"),
    BACKUPS_UNKNOWN("backups-unknown"),
    BOOTSTRAP_INCOMPLETE("bootstrap-incomplete", true),
    CANNOT_BE_RENDERED("cannot-be-rendered", true),
    CARRIED_ON("carried-on"),
    CERTIFICATES_END("certificates-end"),
    CLAIM_LOST("claim-lost"),
    CLAIMS_KEPT("claims-kept"),
    CLAIMS_OF_AN_EARLIER_RING("claims-of-an-earlier-ring"),
    CLAIMS_OF_NOBODY("claims-of-nobody"),
    CLOCK_IN_DOUBT("clock-in-doubt"),
    CLUSTER_ID_CHANGED("cluster-id-changed"),
    CORRUPT("corrupt"),
    DEFRAGMENT_WAITS("defragment-waits"),
    DELETION_UNDER_WAY("deletion-under-way"),
    DELETION_WAITS("deletion-waits"),
    /// A rule forbids what a document asks for.
    DOCUMENT_REJECTED("document-rejected", true),
    DOCUMENT_UNREAD("document-unread"),
    DOCUMENTS_UNREAD("documents-unread"),
    DRIFT_OVERWRITTEN("drift-overwritten"),
    DRILL_FAILED("drill-failed"),
    DRILL_TOO_OLD("drill-too-old"),
    EXEMPTION_ENDS_SOON("exemption-ends-soon"),
    EXEMPTION_EXPIRED("exemption-expired"),
    EXEMPTION_FOR_NOBODY("exemption-for-nobody"),
    EXEMPTION_NOT_YET("exemption-not-yet"),
    EXEMPTION_OF_NO_RULE("exemption-of-no-rule"),
    EXEMPTION_UNUSED("exemption-unused"),
    FEATURE_AFTER_UPGRADE("feature-after-upgrade"),
    FEATURE_NEEDS_NEWER_ETCD("feature-needs-newer-etcd"),
    /// A roll for a feature gate failed, and is not started again unchanged.
    FEATURE_TAKEN_BACK("feature-taken-back"),
    FOREIGN_CLAIMS("foreign-claims"),
    FOREIGN_DOWNGRADE("foreign-downgrade"),
    FOREIGN_LEARNER("foreign-learner"),
    FOREIGN_MEMBER("foreign-member"),
    FOREIGN_OBJECT("foreign-object"),
    FOREIGN_STATEFULSET("foreign-statefulset"),
    FOREIGN_USERS("foreign-users"),
    FREE_SPACE_UNKNOWN("free-space-unknown"),
    /// A defect of the releases that the ring runs.
    HAZARD("hazard"),
    /// A bug of ours, or of a library.
    INTERNAL_ERROR("internal-error"),
    ISSUER_CHANGES("issuer-changes", true),
    JOIN_STUCK("join-stuck"),
    JOURNAL_MISSING("journal-missing"),
    LARGE_FILES("large-files"),
    LEFT_BEHIND("left-behind"),
    MACHINE_GONE("machine-gone"),
    MACHINE_SILENT("machine-silent"),
    MACHINE_UNKNOWN("machine-unknown"),
    MEMBER_FAILING("member-failing"),
    MEMBER_GAP("member-gap"),
    MEMBER_ID_CHANGED("member-id-changed"),
    MEMBER_REPLACEMENT_OF_ONE("member-replacement-of-one", true),
    MEMBER_REPLACEMENT_OVER("member-replacement-over"),
    MEMBER_REPLACEMENT_UNCLEAR("member-replacement-unclear", true),
    MEMBER_TWICE("member-twice"),
    NAMESPACE_QUOTA("namespace-quota"),
    NO_LEARNERS("no-learners", true),
    NO_SPACE("no-space"),
    /// After this point a change cannot be undone.
    NO_WAY_BACK("no-way-back"),
    NO_WAY_TO_VERSION("no-way-to-version", true),
    NOT_CARRIED_OUT_YET("not-carried-out-yet"),
    NOT_GREEN("not-green"),
    NOTHING_TO_ADOPT("nothing-to-adopt", true),
    OBJECTS_LEFT_OUT("objects-left-out"),
    ODD_SIZE("odd-size"),
    OFFLINE("offline"),
    ONE_AT_A_TIME("one-at-a-time"),
    ORPHAN("orphan"),
    /// Only a higher number asks for another one.
    PASSWORD_KEPT("password-kept"),
    PLAIN_CLIENTS_CUT_OFF("plain-clients-cut-off"),
    QUORUM_LOST("quorum-lost"),
    QUOTA_BELOW_DATA("quota-below-data", true),
    QUOTA_WAITS("quota-waits"),
    RECOVERY_WAITS("recovery-waits"),
    REPLACED_LATELY("replaced-lately"),
    RESTORE_AWAITED("restore-awaited"),
    RESTORE_REFUSED("restore-refused", true),
    RING_DELETED("ring-deleted"),
    RING_UNKNOWN("ring-unknown"),
    ROLL_GOES_ON("roll-goes-on"),
    ROLL_IN_PROGRESS("roll-in-progress"),
    ROLL_STUCK("roll-stuck"),
    /// Neither the certificate nor the password of etcd's user root lets us in.
    ROOT_LOCKED_OUT("root-locked-out"),
    /// Its certificate does, and its password does not.
    ROOT_PASSWORD("root-password"),
    SETTING_NOT_IN_USE("setting-not-in-use"),
    SNAPSHOT_TOO_LATE("snapshot-too-late", true),
    START_REFUSED("start-refused"),
    STATEFULSET_MISSING("statefulset-missing"),
    STATEFULSET_TERMINATING("statefulset-terminating"),
    STOP_UNKNOWN("stop-unknown"),
    /// All changes of an environment are suspended.
    STOPPED("stopped"),
    STORAGE_CANNOT_GROW("storage-cannot-grow", true),
    STORAGE_CLASS_CHANGES("storage-class-changes", true),
    STORAGE_CLASS_MISSING("storage-class-missing"),
    STORAGE_SHRINKS("storage-shrinks", true),
    STORAGE_UNKNOWN("storage-unknown"),
    SUSPENDED("suspended"),
    TAKEN_BACK("taken-back"),
    TLS_NEEDS_NEWER_ETCD("tls-needs-newer-etcd", true),
    TLS_OFF("tls-off", true),
    TOMBSTONE_NO_POLICY("tombstone-no-policy", true),
    TOMBSTONE_OTHER_RING("tombstone-other-ring"),
    TOMBSTONE_TOO_EARLY("tombstone-too-early", true),
    TOMBSTONE_WAITS("tombstone-waits"),
    UNEXPECTED_MEMBERS("unexpected-members"),
    UNKNOWN("unknown"),
    V2_CLIENTS("v2-clients"),
    /// Keys that members of 3.6 do not start with.
    V2_KEYS("v2-keys"),
    /// Records that members of 3.6 end at.
    V2_RECORDS("v2-records"),
    VERSION_DIFFERS("version-differs"),
    VOLUME_LEFT_ALONE("volume-left-alone"),
    VOLUME_LOST("volume-lost"),
    VOLUME_RESET_OF_ONE("volume-reset-of-one", true),
    VOLUME_RESET_OVER("volume-reset-over"),
    VOLUMES_DELETED("volumes-deleted", true),
    VOLUMES_MISSING("volumes-missing"),
    WIDE_ROLE("wide-role");

    private final String wire;
    private final boolean ofDocument;

    FindingCode(String wire) {
        this(wire, false);
    }

    FindingCode(String wire, boolean ofDocument) {
        this.wire = wire;
        this.ofDocument = ofDocument;
    }

    public boolean ofDocument() {
        return ofDocument;
    }

    @Override
    public String wire() {
        return wire;
    }
}
