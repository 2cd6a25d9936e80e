package io.github.etcdgitops.document.field;

import java.util.Optional;

/// The folders of a config repository where documents are read. All other folders are ignored.
public enum Folder {
    ROOT("etcd-gitops.yaml"),
    CLUSTERS("clusters/"),
    POLICIES("policies/"),
    APPROVALS("approvals/"),
    TOMBSTONES("tombstones/"),
    CATALOG("catalog/"),
    /// Only read by tests of policies.
    TESTS("tests/");

    public static final String FLEET_FILE = "etcd-gitops.yaml";

    private final String path;

    Folder(String path) {
        this.path = path;
    }

    /// Empty for a file that is not read: in another folder, or without a YAML file name.
    public static Optional<Folder> of(String file) {
        if (file.equals(FLEET_FILE)) {
            return Optional.of(ROOT);
        }
        if (!isYaml(file)) {
            return Optional.empty();
        }
        for (var folder : values()) {
            if (folder.ofRepository() && folder != ROOT && file.startsWith(folder.path)) {
                return Optional.of(folder);
            }
        }
        return Optional.empty();
    }

    /// Whether its documents describe rings, or what may be done to them.
    public boolean ofRepository() {
        return this != TESTS;
    }

    /// Whether the name is below this folder, is the folder, or is the whole repository.
    public boolean holds(String file) {
        return file.startsWith(path) || path.equals(file + "/") || file.equals(".");
    }

    /// Whether a file contains rules: the Fleet, one of the policies, or the catalogue of releases.
    public static boolean isRule(String file) {
        return file.equals(FLEET_FILE) || POLICIES.holds(file) || CATALOG.holds(file);
    }

    static boolean isYaml(String file) {
        return file.endsWith(".yaml") || file.endsWith(".yml");
    }

    /// The path for people: `clusters/`.
    public String path() {
        return path;
    }
}
