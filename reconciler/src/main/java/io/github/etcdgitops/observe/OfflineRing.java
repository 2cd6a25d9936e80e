package io.github.etcdgitops.observe;

import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.auth.DesiredUsers;
import io.github.etcdgitops.ring.auth.SecretChanges;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.time.Validity;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.BudgetState;
import io.github.etcdgitops.state.ClaimPhase;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.PodPhase;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.V2Use;
import io.github.etcdgitops.state.VolumeState;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// The observed state of a ring that exactly matches its document. Values that only a real ring has (IDs,
/// UIDs, sizes, times) are made up, and the same for the same ring each time.
record OfflineRing(EtcdClusterSpec spec) {
    /// A placeholder for the PEM of an unknown CA.
    private static final String AUTHORITY =
            "-----BEGIN CERTIFICATE-----\nnone was looked at\n-----END CERTIFICATE-----\n";

    private static final String REVISION = "at-rest";
    private static final long SMALL = 65_536;

    /// No StatefulSet, journal or claim.
    static KubeState nothing() {
        return new KubeState(
                Observed.known(Optional.empty()),
                Observed.known(Optional.empty()),
                Observed.known(new TreeMap<>()),
                Observed.known(new TreeMap<>()),
                Observed.known(Optional.empty()),
                Observed.known(new TreeMap<>()),
                new KubeState.Objects(true, Observed.known(Map.of())));
    }

    MemberSettings applied() {
        return MemberSettings.founding(spec.server(), spec.server().version());
    }

    Optional<String> authority() {
        return applied().transport().secured() ? Optional.of(AUTHORITY) : Optional.empty();
    }

    EtcdId clusterId() {
        return id("cluster");
    }

    /// `templateDigest` and `objects` follow from the ring's own document.
    KubeState kube(Map<ManagedObject, Map<String, Object>> objects, String templateDigest) {
        int size = spec.size();
        var set = new KubeState.StatefulSetState(
                uid("statefulset"),
                "1",
                new KubeState.Marks(true, false, Optional.empty()),
                size,
                new KubeState.Rollout(size, REVISION, REVISION, true),
                new KubeState.Template(templateDigest, Optional.of(spec.storage())));
        return new KubeState(
                Observed.known(Optional.of(set)),
                Observed.known(Optional.of(new KubeState.JournalState(journal(), "1"))),
                Observed.known(each(this::pod)),
                Observed.known(each(this::claim)),
                Observed.known(Optional.of(new BudgetState(Budget.of(size), size - Budget.of(size), true))),
                Observed.known(each(ordinal -> new MemberConfig.Sealed(incarnation(ordinal)))),
                new KubeState.Objects(true, Observed.known(objects)));
    }

    RingState ring() {
        return new RingState(
                        clusterId(),
                        IntStream.range(0, spec.size()).mapToObj(this::member).toList(),
                        List.of())
                .with(new V2Use(Optional.of(false), 0))
                .withAuth(Observed.known(users().map(Journal.Users::applied).orElse(AuthState.NONE)));
    }

    /// As its document asks for them.
    private Optional<Journal.Users> users() {
        return spec.auth()
                .filter(Auth::enabled)
                .map(auth -> DesiredUsers.noted(
                        auth,
                        Optional.empty(),
                        SecretChanges.of(auth, Optional.empty(), SecretChanges.connection(withoutUsers()))
                                .after()));
    }

    private Journal journal() {
        return users().map(withoutUsers()::withUsers).orElse(withoutUsers());
    }

    private Journal withoutUsers() {
        return new Journal(
                1,
                uid("token"),
                Optional.of(clusterId()),
                applied(),
                each(ordinal -> new Journal.Member(
                        incarnation(ordinal), Optional.of(id("member-" + ordinal)), Optional.of(claimUid(ordinal)))),
                Optional.empty(),
                new Journal.Past(Optional.empty(), Optional.empty(), authority().map(this::certificates)));
    }

    private Journal.Certificates certificates(String authority) {
        return new Journal.Certificates(
                authority,
                Validity.UNKNOWN,
                Optional.empty(),
                Optional.of(spec.server().tls().issuer()));
    }

    private KubeState.PodState pod(int ordinal) {
        var there = new KubeState.Whereabouts(PodPhase.RUNNING, Optional.of("node-" + ordinal), true);
        return new KubeState.PodState(
                spec.ref().podName(ordinal),
                uid("pod-" + ordinal),
                Optional.empty(),
                REVISION,
                true,
                new KubeState.Life(true, false, 0, Optional.empty(), there));
    }

    private KubeState.ClaimState claim(int ordinal) {
        return new KubeState.ClaimState(
                ClusterRef.CLAIMS + "-" + spec.ref().podName(ordinal),
                claimUid(ordinal),
                ClaimPhase.BOUND,
                true,
                false,
                Optional.empty(),
                new VolumeState(claimed(), Optional.of(spec.storage().size()), List.of()));
    }

    /// Without a class, a claim gets the default class, whatever its name.
    private EtcdClusterSpec.Storage claimed() {
        var storage = spec.storage();
        return new EtcdClusterSpec.Storage(
                storage.size(), storage.storageClassName().or(() -> Optional.of("default")));
    }

    private MemberState member(int ordinal) {
        var server = spec.server();
        var transport = server.tls().transport();
        String client = (transport.client().secured() ? "https://" : "http://")
                + spec.ref().memberHost(ordinal) + ":2379";
        var status = new MemberState.Status(
                server.version(),
                Optional.of(id("member-0")),
                new MemberState.Position(2, 1_000, 1_000),
                SMALL,
                SMALL,
                List.of());
        return new MemberState(
                id("member-" + ordinal),
                spec.ref().podName(ordinal),
                transport.peerUrls(spec.ref(), ordinal),
                List.of(client),
                false,
                Observed.known(status));
    }

    private <T> SortedMap<Integer, T> each(IntFunction<T> made) {
        var all = new TreeMap<Integer, T>();
        IntStream.range(0, spec.size()).forEach(ordinal -> all.put(ordinal, made.apply(ordinal)));
        return all;
    }

    private String incarnation(int ordinal) {
        return "at-rest-" + ordinal;
    }

    private String claimUid(int ordinal) {
        return uid("claim-" + ordinal);
    }

    private EtcdId id(String what) {
        return new EtcdId(uuid(what).getMostSignificantBits());
    }

    private String uid(String what) {
        return uuid(what).toString();
    }

    private UUID uuid(String what) {
        return UUID.nameUUIDFromBytes((spec.ref() + " " + what).getBytes(StandardCharsets.UTF_8));
    }
}
