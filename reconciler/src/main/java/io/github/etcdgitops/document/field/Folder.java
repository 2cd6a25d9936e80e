package io.github.etcdgitops.document.field;

import java.util.Optional;

/// The places of a config repository where documents are read. What stands elsewhere is none of our business.
public enum Folder {
    ROOT("etcd-gitops.yaml"),
    CLUSTERS("clusters/"),
    POLICIES("policies/"),
    APPROVALS("approvals/"),
    TOMBSTONES("tombstones/"),
    /// Read by whoever tests policies, and by nobody else.
    TESTS("tests/");

    public static final String FLEET_FILE = "etcd-gitops.yaml";

    private final String path;

    Folder(String path) {
        this.path = path;
    }

    /// Nothing for a file that is not read: one elsewhere, or one that is not YAML by its name.
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

    /// Whether what stands there says what rings should be, or what may be done to them.
    public boolean ofRepository() {
        return this != TESTS;
    }

    /// Whether something of that name stands in this folder, is it, or stands for the whole repository.
    public boolean holds(String file) {
        return file.startsWith(path) || path.equals(file + "/") || file.equals(".");
    }

    /// Whether a file says by what rings are judged: the Fleet, or one of the policies.
    public static boolean isRule(String file) {
        return file.equals(FLEET_FILE) || POLICIES.holds(file);
    }

    static boolean isYaml(String file) {
        return file.endsWith(".yaml") || file.endsWith(".yml");
    }

    /// As a person reads it: `clusters/`.
    public String path() {
        return path;
    }
}
