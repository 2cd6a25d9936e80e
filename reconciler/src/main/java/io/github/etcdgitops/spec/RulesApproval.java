package io.github.etcdgitops.spec;

import io.github.etcdgitops.validation.Location;
import java.time.Instant;

/// Somebody's word, given in Git, that the rules about approvals may be relaxed in exactly the way that `change` is the
/// id of. It counts until `expires`, and once a run has counted it, the new rules hold for good.
public record RulesApproval(String name, String change, String approvedBy, Instant expires, Location source) {}
