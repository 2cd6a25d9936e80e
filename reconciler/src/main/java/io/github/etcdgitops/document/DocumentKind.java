package io.github.etcdgitops.document;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The kinds of documents, where each belongs, and its schema where it can be read already.
enum DocumentKind {
    FLEET("Fleet", Folder.ROOT, true),
    ETCD_CLUSTER("EtcdCluster", Folder.CLUSTERS, true),
    APPROVAL("Approval", Folder.APPROVALS, true),
    ETCD_BACKUP("EtcdBackup", Folder.CLUSTERS, true),
    ETCD_RESTORE("EtcdRestore", Folder.CLUSTERS, true),
    VOLUME_RESET("VolumeReset", Folder.CLUSTERS, true),
    MEMBER_REPLACEMENT("MemberReplacement", Folder.CLUSTERS, true),
    POLICY("Policy", Folder.POLICIES, false),
    POLICY_EXEMPTION("PolicyExemption", Folder.POLICIES, false),
    BACKUP_POLICY("BackupPolicy", Folder.POLICIES, true),
    TOMBSTONE("Tombstone", Folder.TOMBSTONES, true);

    static final String API_VERSION = "etcdgitops.dev/v1alpha1";

    private final String title;
    private final Folder folder;
    private final boolean supported;

    DocumentKind(String title, Folder folder, boolean supported) {
        this.title = title;
        this.folder = folder;
        this.supported = supported;
    }

    /// The word after `kind:`.
    String title() {
        return title;
    }

    Folder folder() {
        return folder;
    }

    boolean supported() {
        return supported;
    }

    static Optional<DocumentKind> of(String title) {
        return Arrays.stream(values()).filter(kind -> kind.title.equals(title)).findFirst();
    }

    static List<String> titles() {
        return Arrays.stream(values()).map(DocumentKind::title).toList();
    }
}
