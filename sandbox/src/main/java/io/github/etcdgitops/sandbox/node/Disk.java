package io.github.etcdgitops.sandbox.node;

import io.github.etcdgitops.sandbox.etcd.Folders;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Deletion;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Refusal;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What goes wrong with the volumes of a pod. No process may have them open. `lost` is where folders go that nobody
/// finds any more.
public record Disk(KubeObjects objects, Path lost) {
    static void empty(Path folder) {
        try {
            Folders.empty(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void lose(String persistentVolume, Path folder) {
        try {
            Files.createDirectories(lost);
            Files.move(folder, lost.resolve(persistentVolume + "-" + System.nanoTime()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            objects.delete(Resource.PERSISTENT_VOLUME, "", persistentVolume, Deletion.AT_ONCE);
            // While a claim is bound to it, a finalizer keeps it.
            objects.update(Resource.PERSISTENT_VOLUME, "", persistentVolume, volume -> {
                Meta.of(volume).remove("finalizers");
                return volume;
            });
        } catch (Refusal gone) {
            // nothing kept it
        }
    }
}
