package io.github.etcdgitops.trial.speed;

import io.github.etcdgitops.trial.bench.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// A config repository of so many rings, each in a namespace of its own, as one commit.
final class FleetDocuments {
    static final String VERSION = "3.5.16";

    private FleetDocuments() {}

    static Path write(Path folder, int rings, int members) throws IOException, InterruptedException {
        return write(
                folder,
                IntStream.range(0, rings).mapToObj(RingPattern::namespace).toList(),
                members);
    }

    static Path write(Path folder, List<String> namespaces, int members) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("etcd-gitops.yaml"), """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Fleet
            metadata:
              name: fleet
            spec:
              environments:
                - name: bench
                  paths: [clusters/]
            """);
        for (var namespace : namespaces) {
            Path at = Files.createDirectories(folder.resolve("clusters").resolve(namespace));
            Files.writeString(at.resolve(RingPattern.NAME + ".yaml"), document(namespace, members));
        }
        Command.run(folder, "git", "init", "--quiet", "--initial-branch=main");
        Command.run(folder, "git", "add", "--all");
        Command.run(
                folder,
                "git",
                "-c",
                "user.name=Benchmark",
                "-c",
                "user.email=benchmark@example.org",
                "commit",
                "--quiet",
                "--message=Rings");
        return folder;
    }

    static Map<String, String> environment(Path repository, Path cache) {
        return Map.of(
                "ETCD_GITOPS_REPO", repository.toUri().toString(),
                "ETCD_GITOPS_ENVIRONMENT", "bench",
                "ETCD_GITOPS_CACHE_DIR", cache.toString());
    }

    private static String document(String namespace, int members) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata:
              name: %s
              namespace: %s
            spec:
              size: %d
              version: "%s"
              storage:
                size: 1Gi
              etcd:
                quotaBackendBytes: 536870912
                autoCompaction:
                  mode: periodic
                  retention: "8h"
              podTemplate:
                resources:
                  requests:
                    cpu: 50m
                    memory: 128Mi
                  limits:
                    memory: 256Mi
            """.formatted(RingPattern.NAME, namespace, members, VERSION);
    }
}
