package io.github.etcdgitops.document.field;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The kinds of documents, and the folder of each. Each has a schema.
public enum DocumentKind {
    FLEET("Fleet", Folder.ROOT),
    ETCD_CLUSTER("EtcdCluster", Folder.CLUSTERS),
    APPROVAL("Approval", Folder.APPROVALS),
    ETCD_BACKUP("EtcdBackup", Folder.CLUSTERS),
    ETCD_RESTORE("EtcdRestore", Folder.CLUSTERS),
    VOLUME_RESET("VolumeReset", Folder.CLUSTERS),
    MEMBER_REPLACEMENT("MemberReplacement", Folder.CLUSTERS),
    ETCD_USER("EtcdUser", Folder.CLUSTERS),
    ETCD_ROLE("EtcdRole", Folder.CLUSTERS),
    POLICY("Policy", Folder.POLICIES),
    POLICY_EXEMPTION("PolicyExemption", Folder.POLICIES),
    BACKUP_POLICY("BackupPolicy", Folder.POLICIES),
    TOMBSTONE("Tombstone", Folder.TOMBSTONES),
    CATALOG("Catalog", Folder.CATALOG),
    POLICY_TEST("PolicyTest", Folder.TESTS);

    static final String API_VERSION = "etcdgitops.dev/v1alpha1";

    private final String title;
    private final Folder folder;

    DocumentKind(String title, Folder folder) {
        this.title = title;
        this.folder = folder;
    }

    /// The word after `kind:`.
    public String title() {
        return title;
    }

    public Folder folder() {
        return folder;
    }

    public static Optional<DocumentKind> of(String title) {
        return Arrays.stream(values()).filter(kind -> kind.title.equals(title)).findFirst();
    }

    static List<String> titles() {
        return Arrays.stream(values()).map(DocumentKind::title).toList();
    }
}
