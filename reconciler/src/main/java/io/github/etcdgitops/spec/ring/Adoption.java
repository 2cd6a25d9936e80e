package io.github.etcdgitops.spec.ring;

/// The request to adopt a foreign ring: its StatefulSet, and the ring in it by the cluster ID that its
/// members report, as etcdctl prints it. So the request never matches another ring of the same name.
public record Adoption(String statefulSet, String clusterId) {}
