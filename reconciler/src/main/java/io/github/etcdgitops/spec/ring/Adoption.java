package io.github.etcdgitops.spec.ring;

/// The request to take over a ring that somebody else has made: its StatefulSet, and the ring in it by
/// the ID that its members answer with, as etcdctl prints it. The same words do not fit another
/// ring of the same name.
public record Adoption(String statefulSet, String clusterId) {}
