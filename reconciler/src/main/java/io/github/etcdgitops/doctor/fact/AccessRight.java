package io.github.etcdgitops.doctor.fact;

import io.github.etcdgitops.gateway.access.ClusterProbe.AccessQuestion;

/// Whether an account has one right.
public record AccessRight(AccessQuestion question, Fact<Boolean> allowed) {}
