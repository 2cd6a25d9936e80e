package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.auth.AuthDocument;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.MemberReplacement;
import io.github.etcdgitops.spec.ring.VolumeReset;
import io.github.etcdgitops.validation.Location;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A part of a document that is now in `file`. The document is identified by `kind`, `namespace`, `name`
/// and, for an approval, by its `approvedBy`, wherever it was before. `pointer` is a JSON pointer; the
/// empty one is the whole document. In a list, it names an item by its `name`, whatever its place.
public record Passage(
        String file, String kind, Optional<String> namespace, String name, Optional<String> by, String pointer) {
    public static final String RING = "EtcdCluster";

    private static final String BACKUP_POLICY = "BackupPolicy";
    private static final String FLEET = "Fleet";
    private static final String CATALOG = "Catalog";

    /// Documents that exist for years.
    private static final Set<String> LASTING = Set.of(RING, BACKUP_POLICY, FLEET, CATALOG);

    /// The fields that decide where and how backups are written, and which of them stay.
    private static final List<String> OF_BACKUPS = List.of(
            "/spec/destination",
            "/spec/destination/s3/bucket",
            "/spec/destination/s3/prefix",
            "/spec/destination/s3/endpoint",
            "/spec/destination/s3/region",
            "/spec/destination/s3/pathStyle",
            "/spec/destination/s3/credentialsRef",
            "/spec/destination/s3/serverSideEncryption",
            "/spec/destination/gcs/bucket",
            "/spec/destination/gcs/prefix",
            "/spec/destination/gcs/endpoint",
            "/spec/destination/gcs/credentialsRef",
            "/spec/destination/directory/path",
            "/spec/destination/directory/prefix",
            "/spec/encryption",
            "/spec/compression",
            "/spec/retention/last",
            "/spec/retention/within",
            "/spec/retention/daily",
            "/spec/retention/weekly",
            "/spec/retention/monthly",
            "/spec/retention");

    /// Whether everyone who ever wrote a part of it counts. For a document that exists for years, only the
    /// authors of its current meaning count.
    public boolean sinceItsBeginning() {
        return !LASTING.contains(kind);
    }

    /// Each field by itself.
    public static List<Passage> of(BackupPolicy policy) {
        return OF_BACKUPS.stream()
                .map(pointer -> new Passage(
                        policy.source().file(),
                        BACKUP_POLICY,
                        Optional.empty(),
                        policy.name(),
                        Optional.empty(),
                        pointer))
                .toList();
    }

    /// A field of the Fleet, of which there is only one, whatever its name is.
    public static Passage ofFleet(Location at) {
        return new Passage(at.file(), FLEET, Optional.empty(), "", Optional.empty(), at.pointer());
    }

    /// The minor versions of the catalogue, of which there is only one, whatever its name is.
    public static Passage ofLines(String file) {
        return new Passage(file, CATALOG, Optional.empty(), "", Optional.empty(), "/spec/lines");
    }

    public List<String> path() {
        return pointer.isEmpty() ? List.of() : List.of(pointer.substring(1).split("/"));
    }

    public static Passage of(EtcdClusterSpec ring, String pointer) {
        var ref = ring.ref();
        return new Passage(
                ring.declaration().source().file(),
                RING,
                Optional.of(ref.namespace()),
                ref.name(),
                Optional.empty(),
                pointer);
    }

    public static Passage of(Approval approval) {
        return new Passage(
                approval.source().file(),
                "Approval",
                Optional.empty(),
                approval.name(),
                Optional.of(approval.approvedBy()),
                "");
    }

    public static Passage of(RulesApproval approval) {
        return new Passage(
                approval.source().file(),
                "Approval",
                Optional.empty(),
                approval.name(),
                Optional.of(approval.approvedBy()),
                "");
    }

    public static Passage of(Tombstone tombstone) {
        return whole("Tombstone", tombstone.name(), tombstone.source().file());
    }

    public static Passage of(VolumeReset reset) {
        return whole("VolumeReset", reset.name(), reset.source().file());
    }

    public static Passage of(MemberReplacement replacement) {
        return whole(
                "MemberReplacement", replacement.name(), replacement.source().file());
    }

    public static Passage of(AuthDocument document) {
        return whole(
                document.kind().title(), document.document(), document.source().file());
    }

    public static Passage of(RestoreRequest request) {
        return whole("EtcdRestore", request.name(), request.source().file());
    }

    private static Passage whole(String kind, String name, String file) {
        return new Passage(file, kind, Optional.empty(), name, Optional.empty(), "");
    }
}
