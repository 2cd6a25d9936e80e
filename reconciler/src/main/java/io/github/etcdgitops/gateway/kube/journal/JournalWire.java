package io.github.etcdgitops.gateway.kube.journal;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.kube.api.CanonicalJson;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.time.Validity;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.auth.UsersRevision;
import io.github.etcdgitops.state.backup.KvHash;
import io.github.etcdgitops.state.backup.SnapshotContents;
import io.github.etcdgitops.state.journal.ChangeHistory;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.journal.RestartAttempts;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The written form of a journal: the fields of its past are not separate.
record JournalWire(
        int formatVersion,
        long epoch,
        String token,
        Optional<EtcdId> clusterId,
        MemberSettings applied,
        SortedMap<Integer, Journal.Member> members,
        Optional<Intent> intent,
        Optional<SnapshotOrigin> origin,
        Optional<Journal.BackedOut> backedOut,
        Optional<Journal.Certificates> certificates,
        Optional<Journal.Adopted> adopted,
        Optional<RetainedRing> remains,
        Optional<Integer> returns,
        Optional<RestartAttempts> tries,
        Optional<ChangeHistory.Changed> changed,
        Optional<ChangeHistory.Begun> begun,
        Optional<Long> v2RecordsUpTo,
        Optional<Instant> v2KeysAt,
        Optional<UsersWire> auth,
        Optional<Instant> passwordsAt,
        Optional<UsersRevision> usersSeen)
        implements Wire<Journal> {
    static final int FORMAT = 1;

    private static final Pattern RUN = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    static JournalWire of(Journal journal) {
        var past = journal.past();
        return new JournalWire(
                FORMAT,
                journal.epoch(),
                journal.token(),
                journal.clusterId(),
                journal.applied(),
                journal.members(),
                journal.intent(),
                past.origin(),
                past.backedOut(),
                past.certificates(),
                past.adopted(),
                past.remains(),
                Optional.of(past.returns()).filter(count -> count > 0),
                Optional.of(past.tries()).filter(tries -> !tries.equals(RestartAttempts.NONE)),
                past.doings().changed(),
                past.doings().begun(),
                past.v2RecordsUpTo(),
                past.v2().keysAt(),
                past.auth().map(UsersWire::of),
                past.data().passwordsAt(),
                past.data().seen());
    }

    /// Without the name of a run, no run is recorded as its starter: nothing depends on it.
    @Override
    public Journal meaning() throws JsonMappingException {
        var doings = new ChangeHistory(
                returns.orElse(0),
                tries.orElse(RestartAttempts.NONE),
                changed,
                begun.filter(by -> RUN.matcher(by.run()).matches()));
        var past = new Journal.Past(
                origin,
                backedOut,
                certificates,
                adopted,
                remains,
                doings,
                new Journal.KnownData(
                        new Journal.V2(v2RecordsUpTo, v2KeysAt),
                        auth.isPresent() ? Optional.of(auth.get().meaning()) : Optional.empty(),
                        passwordsAt,
                        usersSeen));
        return new Journal(JournalFields.epoch(epoch), token, clusterId, applied, members, intent, past);
    }

    /// The members' configuration, without values that an absent field means. A feature gate that this
    /// version does not know is refused: the next write would drop it although members run with it.
    record Applied(
            EtcdVersion version,
            ObjectNode options,
            Optional<String> image,
            Optional<Transport> transport,
            Optional<Authorities> trusted,
            Optional<SortedSet<FeatureGate>> features)
            implements Wire<MemberSettings> {
        private static final TypeReference<SortedMap<String, Object>> OPTIONS = new TypeReference<>() {};

        static Applied of(MemberSettings applied) {
            return new Applied(
                    applied.version(),
                    CanonicalJson.MAPPER.valueToTree(applied.options()),
                    applied.image(),
                    Optional.of(applied.transport()).filter(Transport::secured),
                    Optional.of(applied.trusted()).filter(trusted -> !trusted.equals(Authorities.FIRST)),
                    Optional.of(applied.features()).filter(features -> !features.isEmpty()));
        }

        @Override
        public MemberSettings meaning() {
            return new MemberSettings(
                    version,
                    CanonicalJson.MAPPER.convertValue(options, OPTIONS),
                    image,
                    transport.orElse(Transport.PLAIN),
                    trusted.orElse(Authorities.FIRST),
                    features.orElseGet(TreeSet::new));
        }
    }

    /// A ring's certificates; the validity of the one that expires first is stored among the other fields.
    record Certificates(
            String authority, Instant begin, Instant end, Optional<Validity> newest, Optional<Tls.Issuer> issuer)
            implements Wire<Journal.Certificates> {
        static Certificates of(Journal.Certificates seen) {
            return new Certificates(
                    seen.authority(), seen.first().begin(), seen.first().end(), seen.newest(), seen.issuer());
        }

        @Override
        public Journal.Certificates meaning() {
            return new Journal.Certificates(authority, new Validity(begin, end), newest, issuer);
        }
    }

    /// The expected contents of a snapshot.
    record Contents(EtcdVersion version, long revision, Optional<Long> keys, List<KvHash> hashes)
            implements Wire<SnapshotContents> {
        static Contents of(SnapshotContents contents) {
            var keys = contents.keys();
            return new Contents(
                    contents.version(),
                    contents.revision(),
                    keys.isPresent() ? Optional.of(keys.getAsLong()) : Optional.empty(),
                    contents.hashes());
        }

        @Override
        public SnapshotContents meaning() {
            return new SnapshotContents(
                    version, revision, keys.map(OptionalLong::of).orElseGet(OptionalLong::empty), hashes);
        }
    }
}
