package io.github.etcdgitops.sandbox.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which sandbox is meant: several can run side by side, each in a folder of its own.
final class FolderOption {
    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "The sandbox's folder: kubeconfig, volumes, logs. Default: a folder of yours below the"
                    + " temporary one.")
    private @Nullable Path folder;

    Home home() {
        return Home.of(
                folder == null
                        ? Path.of(
                                System.getProperty("java.io.tmpdir"),
                                "etcd-gitops-sandbox-" + System.getProperty("user.name"))
                        : folder);
    }
}
