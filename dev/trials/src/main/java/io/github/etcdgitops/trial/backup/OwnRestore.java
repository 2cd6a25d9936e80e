package io.github.etcdgitops.trial.backup;

import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.EtcdTool;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/// A snapshot brought to life by etcd's own tool and an etcd of its own: what is in it, whatever anybody's manifest
/// says.
final class OwnRestore {
    private OwnRestore() {}

    /// `folder` is for the data, and there is nothing in it yet.
    static <T> T ask(String version, Path snapshot, Path folder, Function<String, T> question) {
        var binaries = EtcdBinaries.find(version)
                .orElseThrow(
                        () -> new TrialFailure("etcd " + version + " is not in ETCD_HOME, where this trial needs it"));
        Path data = folder.resolve("data");
        try (var etcd = new EtcdProcess(binaries, "restored", List.of("--data-dir=" + data))) {
            new EtcdTool(binaries.snapshotTool())
                    .run(
                            "snapshot",
                            "restore",
                            snapshot.toString(),
                            "--name=restored",
                            "--data-dir=" + data,
                            "--initial-cluster=restored=" + etcd.peerUrl(),
                            "--initial-advertise-peer-urls=" + etcd.peerUrl());
            etcd.start("restored=" + etcd.peerUrl(), "existing").awaitReady();
            return question.apply(etcd.endpoint());
        }
    }
}
