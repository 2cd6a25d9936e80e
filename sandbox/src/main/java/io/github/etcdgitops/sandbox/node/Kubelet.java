package io.github.etcdgitops.sandbox.node;

import io.github.etcdgitops.sandbox.network.Network;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import java.nio.file.Path;

/// What all pods of the machines have in common.
record Kubelet(KubeObjects objects, Engine engine, Network network, MachineSettings settings) {
    Path folderOf(String uid) {
        return settings.folder().resolve("pods").resolve(uid);
    }
}
