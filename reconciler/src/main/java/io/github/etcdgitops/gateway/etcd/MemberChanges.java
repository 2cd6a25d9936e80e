package io.github.etcdgitops.gateway.etcd;

import io.github.etcdgitops.state.value.EtcdId;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.util.List;

/// Changes of a ring's members and of its leader. Each is sent once. Throws StatusRuntimeException where the
/// member refuses, or does not answer.
record MemberChanges(Endpoint endpoint) {
    EtcdId add(URI peerUrl, boolean learner) {
        var added = JetcdCall.make(endpoint, client -> client.getClusterClient().addMember(List.of(peerUrl), learner));
        return new EtcdId(added.getMember().getId());
    }

    /// False where the leader says that the learner has not caught up yet.
    boolean promote(EtcdId learner) {
        try {
            JetcdCall.make(endpoint, client -> client.getClusterClient().promoteMember(learner.value()));
            return true;
        } catch (StatusRuntimeException e) {
            if (EtcdErrors.learnerBehind(e)) {
                return false;
            }
            throw e;
        }
    }

    void remove(EtcdId member) {
        JetcdCall.make(endpoint, client -> client.getClusterClient().removeMember(member.value()));
    }

    void update(EtcdId member, List<URI> peerUrls) {
        JetcdCall.make(endpoint, client -> client.getClusterClient().updateMember(member.value(), peerUrls));
    }

    void moveLeader(EtcdId target) {
        JetcdCall.make(endpoint, client -> client.getMaintenanceClient().moveLeader(target.value()));
    }
}
