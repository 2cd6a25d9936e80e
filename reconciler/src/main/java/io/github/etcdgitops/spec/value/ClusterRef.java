package io.github.etcdgitops.spec.value;

import java.util.Comparator;

/// A ring's identity: the namespace and name of its objects. Not the path of its file, so that a moved file
/// does not make a new ring.
public record ClusterRef(String namespace, String name) implements Comparable<ClusterRef> {
    /// The claim template of a ring that we created.
    public static final String CLAIMS = "data";

    private static final Comparator<ClusterRef> ORDER =
            Comparator.comparing(ClusterRef::namespace).thenComparing(ClusterRef::name);

    public String podName(int ordinal) {
        return name + "-" + ordinal;
    }

    public String claimName(int ordinal) {
        return claimName(CLAIMS, ordinal);
    }

    public String claimName(String template, int ordinal) {
        return template + "-" + podName(ordinal);
    }

    /// Host name of a member inside the cluster; exact, because certificates contain it and etcd compares
    /// it.
    public String memberHost(int ordinal) {
        return podName(ordinal) + "." + name + "-peer." + namespace + ".svc";
    }

    @Override
    public int compareTo(ClusterRef other) {
        return ORDER.compare(this, other);
    }

    /// `namespace/name`.
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
