package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.backup.BackupCatalog;
import io.github.etcdgitops.backup.ManifestFile;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.kube.api.KubeHttp;
import io.github.etcdgitops.gateway.kube.read.FleetList;
import io.github.etcdgitops.gateway.kube.read.ListedObjects;
import io.github.etcdgitops.gateway.kube.read.Replicas;
import io.github.etcdgitops.spec.ring.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BoundsInDocsTest {
    @Test
    void docsStateBoundsOfCode() throws IOException {
        var bounds = FleetList.Bounds.standard();
        var rows = Map.ofEntries(
                Map.entry("an object of a ring in Kubernetes", ListedObjects.LARGEST_OBJECT + " bytes"),
                Map.entry("any other answer of the API server", KubeHttp.LARGEST_ANSWER + " bytes"),
                Map.entry("one list of objects, with their contents", bounds.whole() + " bytes"),
                Map.entry("one list of objects", bounds.most() + " bytes"),
                Map.entry("listed objects of one ring, uncompressed", ListedObjects.HEAVIEST_RING + " bytes"),
                Map.entry("rings without a document", "" + ListedObjects.Others.MOST),
                Map.entry("replicas and partition of a StatefulSet", "" + Replicas.MOST),
                Map.entry("objects in a listing of a place of backups", "" + BackupCatalog.MOST_OBJECTS),
                Map.entry("backups in a listing", "" + BackupCatalog.MOST_BACKUPS),
                Map.entry("a manifest of a backup", ManifestFile.LIMIT + " bytes"),
                Map.entry("steps of all expressions about one ring or operation", "" + Rule.Allowance.MOST));
        var shared = "" + Rule.Allowance.MOST_OF_ALL;

        var page = Files.readString(Path.of("../docs/limits.md"));

        rows.forEach((what, bound) -> assertThat(page).contains("| " + what + " | " + bound + " |"));
        assertThat(page).contains("| the same about all rings, each of which has an equal share | " + shared + " |");
        assertThat(page).contains("| objects of one backup | " + BackupStore.MOST_OF_ONE_BACKUP + " |");
    }
}
