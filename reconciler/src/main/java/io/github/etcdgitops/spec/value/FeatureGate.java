package io.github.etcdgitops.spec.value;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A behaviour of rings that is not on everywhere, and that a level of the repository switches: the
/// catalogue. To add one: a constant here, its name in both schemas, its effect on a ring, a row in
/// `docs/feature-gates.md`.
public enum FeatureGate {
    /// A difference raises the alarm CORRUPT, which stops the writes of the wrong member.
    COMPACT_HASH_CHECK(
            "CompactHashCheck",
            Stage.BETA,
            "3.5.5",
            "once a minute the leader compares the members' hashes of their compacted data"),
    PEER_TLS(
            "PeerTls",
            Stage.BETA,
            "3.3.0",
            "members use mutual TLS with each other, with the ring's own CA, unless the ring's document sets"
                    + " tls.peer"),
    STOP_GRPC_SERVICE_ON_DEFRAG(
            "StopGRPCServiceOnDefrag",
            Stage.ALPHA,
            "3.5.14",
            "a member reports that it does not serve while it defragments, so that clients use another one");

    /// How much a gate may still change.
    public enum Stage implements WireName {
        /// May be removed again, with a notice in the changelog.
        ALPHA,
        /// Stays, and may become the default.
        BETA;

        @Override
        public String wire() {
            return switch (this) {
                case ALPHA -> "alpha";
                case BETA -> "beta";
            };
        }
    }

    private final String title;
    private final Stage stage;

    @SuppressWarnings("ImmutableEnumChecker") // a record of numbers
    private final EtcdVersion since;

    private final String meaning;

    FeatureGate(String title, Stage stage, String since, String meaning) {
        this.title = title;
        this.stage = stage;
        this.since = EtcdVersion.parse(since).orElseThrow();
        this.meaning = meaning;
    }

    /// The name in documents.
    public String title() {
        return title;
    }

    public Stage stage() {
        return stage;
    }

    /// In one line, for people.
    public String meaning() {
        return meaning;
    }

    /// The first release of etcd that has it. In earlier releases it is off.
    public EtcdVersion since() {
        return since;
    }

    public boolean isIn(EtcdVersion version) {
        return version.compareTo(since()) >= 0;
    }

    /// The value where no level sets it.
    public boolean byDefault() {
        return switch (this) {
            case COMPACT_HASH_CHECK, PEER_TLS, STOP_GRPC_SERVICE_ON_DEFRAG -> false;
        };
    }

    /// Once it was on in a ring, it is never off again: whoever relies on it would not know.
    public boolean ratchets() {
        return switch (this) {
            case PEER_TLS -> true;
            case COMPACT_HASH_CHECK, STOP_GRPC_SERVICE_ON_DEFRAG -> false;
        };
    }

    /// Whether it restarts members, one after the other.
    public boolean restartsMembers() {
        return switch (this) {
            case COMPACT_HASH_CHECK, PEER_TLS, STOP_GRPC_SERVICE_ON_DEFRAG -> true;
        };
    }

    /// Whether it is etcd's own, in the file of each member.
    public boolean isOfEtcd() {
        return switch (this) {
            case COMPACT_HASH_CHECK, STOP_GRPC_SERVICE_ON_DEFRAG -> true;
            case PEER_TLS -> false;
        };
    }

    public static Optional<FeatureGate> named(String title) {
        return Arrays.stream(values()).filter(gate -> gate.title.equals(title)).findFirst();
    }

    public static List<String> titles() {
        return Arrays.stream(values()).map(FeatureGate::title).toList();
    }

    @Override
    public String toString() {
        return title;
    }
}
