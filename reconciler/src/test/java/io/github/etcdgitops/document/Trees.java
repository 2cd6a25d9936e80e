package io.github.etcdgitops.document;

import io.github.etcdgitops.git.tree.SourceTree;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Trees and documents for tests.
final class Trees {
    private Trees() {}

    static SourceTree of(Map<String, String> files) {
        var documents = new TreeMap<String, byte[]>();
        files.forEach((name, text) -> documents.put(name, text.getBytes(StandardCharsets.UTF_8)));
        return ofBytes(documents);
    }

    static SourceTree ofBytes(Map<String, byte[]> files) {
        return new SourceTree("0000", new TreeMap<>(files), List.of(), "digest");
    }

    /// `spec` is indented by two.
    static String ring(String name, String spec) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata:
              name: %s
              namespace: demo
            spec:
              size: 3
              version: "3.5.16"
            %s\
            """.formatted(name, spec);
    }

    /// Keeps its backups in `/backups/NAME`. `spec` is indented by two.
    static String policy(String name, String spec) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata:
              name: %s
            spec:
              destination: {directory: {path: /backups/%s}}
            %s\
            """.formatted(name, name, spec);
    }

    /// `from` is one line.
    static String restore(String name, String from) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdRestore
            metadata:
              name: again
            spec:
              cluster: {namespace: demo, name: %s}
              from: {%s}
            """.formatted(name, from);
    }

    static String fleet(String spec) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Fleet
            metadata:
              name: fleet
            spec:
            %s\
            """.formatted(spec);
    }
}
