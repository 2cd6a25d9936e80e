package io.github.etcdgitops.state.member;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.util.List;
import java.util.Optional;

/// One entry of the member list, and the answer of its own endpoint. `name` is empty until the member has
/// started once. `seat` is the ordinal of the pod that answered as this member: known only for a ring whose
/// peer URLs are not ours.
public record MemberState(
        EtcdId id,
        String name,
        List<String> peerUrls,
        List<String> clientUrls,
        boolean learner,
        Observed<Status> status,
        Optional<Integer> seat) {
    public MemberState {
        peerUrls = List.copyOf(peerUrls);
        clientUrls = List.copyOf(clientUrls);
    }

    /// For a ring of ours, whose peer URLs say which pod it is.
    public MemberState(
            EtcdId id,
            String name,
            List<String> peerUrls,
            List<String> clientUrls,
            boolean learner,
            Observed<Status> status) {
        this(id, name, peerUrls, clientUrls, learner, status, Optional.empty());
    }

    public MemberState seated(int ordinal) {
        return new MemberState(id, name, peerUrls, clientUrls, learner, status, Optional.of(ordinal));
    }

    /// `leader` is empty while the member knows none. Sizes in bytes. `errors` includes alarms.
    public record Status(
            EtcdVersion version,
            Optional<EtcdId> leader,
            Position at,
            long dbSize,
            long dbSizeInUse,
            List<StatusError> errors) {
        public Status {
            errors = List.copyOf(errors);
        }

        public long term() {
            return at.term();
        }

        public long appliedIndex() {
            return at.appliedIndex();
        }
    }

    /// The progress of a member. Everything applied was agreed on, so a member with a greater index has
    /// everything that one with a smaller index has. `revision` is the newest of its keys.
    public record Position(long term, long appliedIndex, long revision) {}

    public boolean started() {
        return !name.isEmpty();
    }

    public boolean answers() {
        return status.isKnown();
    }

    /// The ordinal that the peer URLs name, as a number and never as text; empty for a member that is not
    /// of this ring's StatefulSet. During an adoption, members also have a former URL.
    public Optional<Integer> ordinal(ClusterRef ref) {
        return seat.or(() -> {
            var named = peerUrls.stream()
                    .flatMap(url -> ordinalOf(ref, url).stream())
                    .distinct()
                    .toList();
            return named.size() == 1 ? Optional.of(named.getFirst()) : Optional.empty();
        });
    }

    private static Optional<Integer> ordinalOf(ClusterRef ref, String url) {
        int start = url.indexOf("://") + 3;
        int colon = url.lastIndexOf(':');
        if (start < 3 || colon < start) {
            return Optional.empty();
        }
        String host = url.substring(start, colon);
        String prefix = ref.name() + "-";
        int dot = host.indexOf('.');
        if (!host.startsWith(prefix) || dot < 0) {
            return Optional.empty();
        }
        String digits = host.substring(prefix.length(), dot);
        if (digits.isEmpty() || digits.length() > 4 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        int ordinal = Integer.parseInt(digits);
        return ref.memberHost(ordinal).equals(host) ? Optional.of(ordinal) : Optional.empty();
    }
}
