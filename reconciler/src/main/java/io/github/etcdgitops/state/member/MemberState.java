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
    private static final int MOST_DIGITS = 4;

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
            List<StatusError> errors,
            Storage storage) {
        public Status {
            errors = List.copyOf(errors);
        }

        /// For a server before 3.6.
        public Status(
                EtcdVersion version,
                Optional<EtcdId> leader,
                Position at,
                long dbSize,
                long dbSizeInUse,
                List<StatusError> errors) {
            this(version, leader, at, dbSize, dbSizeInUse, errors, Storage.UNTOLD);
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

    /// What servers from 3.6 on tell of their data. `version` is that of the data format: a server of that
    /// minor version can read it. `downgradeTo` is the target of the downgrade under way in the ring. Both are
    /// minor versions with patch 0. `quota` is the one in use, in bytes. Earlier servers tell nothing, also
    /// during a downgrade.
    public record Storage(Optional<EtcdVersion> version, Optional<EtcdVersion> downgradeTo, Optional<Long> quota) {
        public static final Storage UNTOLD = new Storage(Optional.empty(), Optional.empty(), Optional.empty());
    }

    public boolean started() {
        return !name.isEmpty();
    }

    public boolean answers() {
        return status.isKnown();
    }

    /// The ordinal that the peer URLs name, as a number and never as text; empty for a member that is not
    /// of this ring's StatefulSet. During an adoption, members also have a former URL.
    public Optional<Integer> ordinal(ClusterRef ref) {
        if (seat.isPresent()) {
            return seat;
        }
        Optional<Integer> named = Optional.empty();
        for (String url : peerUrls) {
            var ordinal = ordinalOf(ref, url);
            if (named.isPresent() && ordinal.isPresent() && !named.equals(ordinal)) {
                return Optional.empty();
            }
            named = named.or(() -> ordinal);
        }
        return named;
    }

    private static Optional<Integer> ordinalOf(ClusterRef ref, String url) {
        int start = url.indexOf("://") + 3;
        int colon = url.lastIndexOf(':');
        int digits = start + ref.name().length() + 1;
        int dot = url.indexOf('.', start);
        if (start < 3
                || dot <= digits
                || dot - digits > MOST_DIGITS
                || colon < dot
                || !url.startsWith(ref.name(), start)) {
            return Optional.empty();
        }
        int ordinal = 0;
        for (int at = digits; at < dot; at++) {
            char digit = url.charAt(at);
            if (digit < '0' || digit > '9') {
                return Optional.empty();
            }
            ordinal = 10 * ordinal + digit - '0';
        }
        String host = ref.memberHost(ordinal);
        return colon - start == host.length() && url.startsWith(host, start) ? Optional.of(ordinal) : Optional.empty();
    }
}
