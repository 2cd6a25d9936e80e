package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a call asks of its caller while authentication is enabled. The releases differ, as their source and
/// trials with several of them show.
enum FakeRight {
    FREE(Need.NOTHING, Map.of()),
    STATUS(
            Need.NOTHING,
            Map.of(
                    "3.4.42", Need.ROOT,
                    "3.5.28", Need.ROOT,
                    "3.5.32", Need.IDENTITY,
                    "3.6.0", Need.ROOT,
                    "3.6.12", Need.IDENTITY)),
    MEMBER_LIST(
            Need.NOTHING,
            Map.of(
                    "3.4.42", Need.ROOT,
                    "3.4.43", Need.IDENTITY,
                    "3.5.28", Need.ROOT,
                    "3.5.29", Need.IDENTITY,
                    "3.6.9", Need.ROOT,
                    "3.6.10", Need.IDENTITY)),
    /// To move the leader, or to announce a downgrade.
    LEAD(Need.NOTHING, Map.of("3.4.42", Need.ROOT, "3.5.28", Need.ROOT, "3.6.0", Need.ROOT)),
    /// To compact, or to disarm an alarm.
    UPKEEP(Need.NOTHING, Map.of("3.4.42", Need.ROOT, "3.5.28", Need.ROOT, "3.6.9", Need.ROOT)),
    AUTH_STATUS(Need.ROOT, Map.of("3.7.0", Need.NOTHING)),
    ROOT(Need.ROOT, Map.of());

    private enum Need {
        NOTHING,
        IDENTITY,
        ROOT
    }

    private final TreeMap<EtcdVersion, Need> since = new TreeMap<>();

    /// `first` is where each line of releases starts; `later` has the first release of each other need.
    FakeRight(Need first, Map<String, Need> later) {
        for (var line : List.of("3.0.0", "3.4.0", "3.5.0", "3.6.0")) {
            since.put(EtcdVersion.parse(line).orElseThrow(), first);
        }
        later.forEach((version, need) -> since.put(EtcdVersion.parse(version).orElseThrow(), need));
    }

    /// Throws where the member refuses the caller.
    void check(FakeMember asked, Caller caller) {
        check(asked.cluster.users, asked.version, caller);
    }

    void check(FakeUsers users, EtcdVersion version, Caller caller) {
        if (!users.enabled() || admits(since.floorEntry(version).getValue(), caller)) {
            return;
        }
        throw new GatewayException(
                GatewayException.Kind.UNAUTHORIZED,
                false,
                "etcd refuses: " + (caller == Caller.NOBODY ? "user name is empty" : "user name not found"));
    }

    private static boolean admits(Need need, Caller caller) {
        return switch (need) {
            case NOTHING -> true;
            case IDENTITY -> caller != Caller.NOBODY;
            case ROOT -> caller == Caller.ROOT;
        };
    }
}
