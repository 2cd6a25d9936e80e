package io.github.etcdgitops.ring.auth;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.Journal;
import java.util.List;

/// Disables authentication: every client that reaches a member may then read and write all keys. Users and
/// roles stay, so that EnableAuth makes none of them again.
///
/// Applies only where a document says `enabled: false`, never because the field is missing.
public record DisableAuth(ClusterRef ref, Journal.Users after) implements Operation {
    @Override
    public String kind() {
        return "DisableAuth";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(RequestedBy.Part.AUTH);
    }

    @Override
    public String target() {
        return "authentication disabled";
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING;
    }

    @Override
    public Risk risk() {
        return Risk.HIGH;
    }

    @Override
    public Consent consent() {
        return Consent.NEEDED;
    }

    @Override
    public String reason() {
        return "the document says /spec/auth/enabled: false";
    }

    @Override
    public String summary() {
        return "disable authentication: every client that reaches the ring may use all keys";
    }

    @Override
    public List<Step> steps() {
        return List.of(new AuthStep.SwitchOff(), new AuthStep.NoteUsers(after));
    }
}
