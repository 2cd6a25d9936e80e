package io.github.etcdgitops.spec;

import io.github.etcdgitops.validation.Location;
import java.time.Instant;

/// An approval in Git: the approval rules may be relaxed exactly as described by the id `change`. It counts
/// until `expires`, and once a run has counted it, the new rules apply for good.
public record RulesApproval(String name, String change, String approvedBy, Instant expires, Location source) {}
