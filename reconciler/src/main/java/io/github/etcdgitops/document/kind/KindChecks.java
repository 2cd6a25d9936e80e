package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.field.ClusterChecks;
import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.YamlDocument;

/// What a schema cannot check in a document, by its kind.
public final class KindChecks {
    private KindChecks() {}

    public static void check(YamlDocument document, DocumentKind kind, Findings findings) {
        switch (kind) {
            case FLEET -> FleetReader.check(document, findings);
            case ETCD_CLUSTER -> {
                ClusterChecks.check(document, findings);
                AuthChecks.ofRing(document, findings);
            }
            case ETCD_USER -> AuthChecks.ofUser(document, findings);
            case ETCD_ROLE -> AuthChecks.ofRole(document, findings);
            case APPROVAL -> ApprovalReader.check(document, findings);
            case BACKUP_POLICY -> BackupPolicyReader.check(document, findings);
            case ETCD_RESTORE -> RestoreReader.check(document, findings);
            case TOMBSTONE -> TombstoneReader.check(document, findings);
            case ETCD_BACKUP, VOLUME_RESET, MEMBER_REPLACEMENT -> {
                // The schema checks everything about the document alone.
            }
            case POLICY -> PolicyReader.check(document, findings);
            case POLICY_TEST -> PolicyTestReader.check(document, findings);
            case CATALOG -> CatalogReader.check(document, findings);
            case POLICY_EXEMPTION -> ExemptionReader.check(document, findings);
        }
    }
}
