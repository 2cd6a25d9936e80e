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
    static final int MEMBERS = 3;

    private static final String TLS = "  tls:\n    peer: mutual\n    client: mutual\n";

    private FleetDocuments() {}

    static Path write(Path folder, int rings, int members) throws IOException, InterruptedException {
        return write(
                folder,
                IntStream.range(0, rings).mapToObj(RingPattern::namespace).toList(),
                members);
    }

    static Path write(Path folder, List<String> namespaces, int members) throws IOException, InterruptedException {
        return write(folder, namespaces, members, 0);
    }

    /// With so many policies besides, of one rule each, which all rings follow.
    static Path write(Path folder, List<String> namespaces, int members, int policies)
            throws IOException, InterruptedException {
        return write(folder, namespaces, members, policies, false);
    }

    static Path write(Path folder, List<String> namespaces, int members, int policies, boolean tls)
            throws IOException, InterruptedException {
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
        documents(folder, namespaces, members, tls);
        for (int policy = 0; policy < policies; policy++) {
            Path at = Files.createDirectories(folder.resolve("policies"));
            Files.writeString(at.resolve("policy-" + policy + ".yaml"), policy("policy-" + policy));
        }
        Command.run(folder, "git", "init", "--quiet", "--initial-branch=main");
        // After a commit of many files Git packs them. In the background it would go on beside what is measured, and
        // write into a folder that is being deleted.
        Command.run(folder, "git", "config", "gc.autoDetach", "false");
        commit(folder, "Rings");
        return folder;
    }

    /// A second commit, in which these rings have so many members; the branch `before` stays at the first one.
    static void resize(Path folder, List<String> namespaces, int members, boolean tls)
            throws IOException, InterruptedException {
        Command.run(folder, "git", "branch", "before");
        documents(folder, namespaces, members, tls);
        commit(folder, "Other sizes");
    }

    private static void documents(Path folder, List<String> namespaces, int members, boolean tls) throws IOException {
        for (var namespace : namespaces) {
            Path at = Files.createDirectories(folder.resolve("clusters").resolve(namespace));
            Files.writeString(at.resolve(RingPattern.NAME + ".yaml"), document(namespace, members) + (tls ? TLS : ""));
        }
    }

    private static void commit(Path folder, String message) throws IOException, InterruptedException {
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
                "--allow-empty",
                "--message=" + message);
    }

    private static String policy(String name) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Policy
            metadata:
              name: %s
            spec:
              rules:
                odd-members:
                  effect: warn
                  sizes: [1, 3, 5, 7, 9]
            """.formatted(name);
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
