package io.github.etcdgitops.state.journal;

import io.github.etcdgitops.spec.time.Validity;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.auth.UsersRevision;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The ring's own memory, in the ConfigMap `NAME-journal`. It says what is under way and what we created;
/// what etcd and Kubernetes show always overrides it.
///
/// `epoch` is the fencing number of the last writer: a process with a lower one must not write. `clusterId`
/// is set once the ring runs, and from then on no member ever starts with a file that creates a ring.
/// `applied` is the configuration of the running members. `past` stays.
public record Journal(
        long epoch,
        String token,
        Optional<EtcdId> clusterId,
        MemberSettings applied,
        SortedMap<Integer, Member> members,
        Optional<Intent> intent,
        Past past) {
    public Journal {
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
    }

    /// A ring that started empty and has no past.
    public Journal(
            long epoch,
            String token,
            Optional<EtcdId> clusterId,
            MemberSettings applied,
            SortedMap<Integer, Member> members,
            Optional<Intent> intent) {
        this(epoch, token, clusterId, applied, members, intent, Past.NONE);
    }

    /// `origin` is the snapshot that a restored ring started from; `backedOut` the last roll that was
    /// rolled back; `certificates` those that were last seen or issued; `adopted` is set for an adopted
    /// ring; `remains` for one that was deleted and does not exist.
    public record Past(
            Optional<SnapshotOrigin> origin,
            Optional<BackedOut> backedOut,
            Optional<Certificates> certificates,
            Optional<Adopted> adopted,
            Optional<RetainedRing> remains,
            ChangeHistory doings,
            KnownData data) {
        public static final Past NONE = new Past(Optional.empty(), Optional.empty(), Optional.empty());

        public Past(
                Optional<SnapshotOrigin> origin, Optional<BackedOut> backedOut, Optional<Certificates> certificates) {
            this(origin, backedOut, certificates, Optional.empty(), Optional.empty(), ChangeHistory.NONE);
        }

        public Past(
                Optional<SnapshotOrigin> origin,
                Optional<BackedOut> backedOut,
                Optional<Certificates> certificates,
                Optional<Adopted> adopted,
                Optional<RetainedRing> remains,
                ChangeHistory doings) {
            this(origin, backedOut, certificates, adopted, remains, doings, KnownData.NONE);
        }

        public V2 v2() {
            return data.v2();
        }

        /// Empty until we begin to set up users and roles.
        public Optional<Users> auth() {
            return data.users();
        }

        public Optional<Long> v2RecordsUpTo() {
            return v2().recordsUpTo();
        }

        public int returns() {
            return doings.returns();
        }

        public RestartAttempts tries() {
            return doings.tries();
        }

        private Past with(
                Optional<BackedOut> roll,
                Optional<Certificates> seen,
                Optional<Adopted> former,
                Optional<RetainedRing> deleted) {
            return new Past(origin, roll, seen, former, deleted, doings, data);
        }

        private Past with(ChangeHistory done) {
            return new Past(origin, backedOut, certificates, adopted, remains, done, data);
        }

        private Past with(KnownData known) {
            return new Past(origin, backedOut, certificates, adopted, remains, doings, known);
        }
    }

    /// What is known of the data inside the ring. `passwordsAt` is when a user last got a password, for readers.
    /// `seen` is a moment at which the ring had exactly these users.
    public record KnownData(V2 v2, Optional<Users> users, Optional<Instant> passwordsAt, Optional<UsersRevision> seen) {
        static final KnownData NONE = new KnownData(V2.UNKNOWN, Optional.empty(), Optional.empty(), Optional.empty());

        private KnownData with(V2 known) {
            return new KnownData(known, users, passwordsAt, seen);
        }
    }

    /// `recordsUpTo` is an index of the log past which no record of etcd's v2 API lies: 0 where there is no data of
    /// that API any more, or never was; empty where that is unknown. `keysAt` is when keys of that API were last
    /// seen on a volume; empty since a later look found none.
    public record V2(Optional<Long> recordsUpTo, Optional<Instant> keysAt) {
        public static final V2 UNKNOWN = new V2(Optional.empty(), Optional.empty());
    }

    /// What we last made of etcd's users and roles; what others made is not among them. `passwords` has, for
    /// each user who signs in with a password, the number that asked for the one it has. `secrets` is empty
    /// until one is written.
    public record Users(AuthState applied, SortedMap<String, Integer> passwords, Optional<UserSecrets> secrets) {
        public Users {
            passwords = Collections.unmodifiableSortedMap(new TreeMap<>(passwords));
        }
    }

    /// `claims` is the name of the claim template, which names the claims; `statefulSet` the UID of the one
    /// that was taken over. `settled` once nothing of the former setup is in the way any more: members
    /// under our names only, and the client Service ours.
    public record Adopted(String claims, String statefulSet, boolean settled) {}

    /// `authority` is the CA as PEM, which is no secret; two while one takes over from the other. `first`
    /// is the validity of the certificate that expires first, `newest` that of the newest CA, `issuer` who
    /// issues them, where that was observed.
    public record Certificates(
            String authority, Validity first, Optional<Validity> newest, Optional<Tls.Issuer> issuer) {
        private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";

        public int authorities() {
            return authority.split(CERTIFICATE, -1).length - 1;
        }

        public Optional<Instant> authorityEnd() {
            return newest.map(Validity::end);
        }
    }

    /// A roll that failed: the operation, which is not started again unchanged, and why.
    public record BackedOut(String operationId, String reason) {}

    /// `id` is empty until the member is added; `claimUid` until the claim is observed.
    public record Member(String incarnation, Optional<EtcdId> id, Optional<String> claimUid) {}

    public boolean isUnderWay(Intent.Kind kind) {
        return intent.filter(i -> i.kind() == kind).isPresent();
    }

    /// The roll that is under way, or that is being rolled back.
    public Optional<Intent.Roll> roll() {
        return intent.flatMap(Intent::roll);
    }

    /// The StatefulSet that is being recreated.
    public Optional<Intent.Recreation> recreation() {
        return intent.flatMap(Intent::recreation);
    }

    /// The members whose places are given to others.
    public Optional<Intent.Replacement> replacement() {
        return intent.flatMap(Intent::replacement);
    }

    public Optional<SnapshotOrigin> origin() {
        return past.origin();
    }

    public boolean founded() {
        return clusterId.isPresent();
    }

    public Journal withEpoch(long newEpoch) {
        return new Journal(newEpoch, token, clusterId, applied, members, intent, past);
    }

    public Journal withIntent(Optional<Intent> newIntent) {
        return new Journal(epoch, token, clusterId, applied, members, newIntent, past);
    }

    public Journal withClusterId(EtcdId id) {
        return new Journal(epoch, token, Optional.of(id), applied, members, intent, past);
    }

    public Journal withApplied(MemberSettings newApplied) {
        return new Journal(epoch, token, clusterId, newApplied, members, intent, past);
    }

    public Journal withBackedOut(Optional<BackedOut> backedOut) {
        return withPast(past.with(backedOut, past.certificates(), past.adopted(), past.remains()));
    }

    public Journal withCertificates(Certificates certificates) {
        return withPast(past.with(past.backedOut(), Optional.of(certificates), past.adopted(), past.remains()));
    }

    public Journal withAdopted(Adopted adopted) {
        return withPast(past.with(past.backedOut(), past.certificates(), Optional.of(adopted), past.remains()));
    }

    public Journal withRemains(Optional<RetainedRing> remains) {
        return withPast(past.with(past.backedOut(), past.certificates(), past.adopted(), remains));
    }

    public Journal withTries(RestartAttempts tries) {
        return withPast(past.with(past.doings().with(tries)));
    }

    public Journal withDoings(ChangeHistory doings) {
        return withPast(past.with(doings));
    }

    public Journal withUsers(Users applied) {
        return withUsers(applied, past.data().passwordsAt(), Optional.empty());
    }

    public Journal withUsers(Users applied, Optional<Instant> passwordsAt, Optional<UsersRevision> seen) {
        return withPast(past.with(new KnownData(past.v2(), Optional.of(applied), passwordsAt, seen)));
    }

    /// Whether authentication was enabled by us, or by others with our knowledge.
    public boolean authenticates() {
        return past.auth().filter(users -> users.applied().enabled()).isPresent();
    }

    public Journal withV2RecordsUpTo(Optional<Long> index) {
        boolean none = index.filter(last -> last == 0).isPresent();
        var v2 = new V2(index, none ? Optional.empty() : past.v2().keysAt());
        return withPast(past.with(past.data().with(v2)));
    }

    public Journal withV2KeysAt(Instant seen) {
        var v2 = new V2(past.v2RecordsUpTo(), Optional.of(seen.truncatedTo(ChronoUnit.SECONDS)));
        return withPast(past.with(past.data().with(v2)));
    }

    /// For a ring whose log begins now. From 3.5 on, members write no records of the v2 API that a later version
    /// refuses.
    public Journal withNewLog() {
        return withV2RecordsUpTo(applied.version().atLeast(3, 5, 0) ? Optional.of(0L) : Optional.empty());
    }

    /// For a ring that is being deleted, was deleted, or is coming back.
    public Optional<RetainedRing> remains() {
        return intent.flatMap(Intent::remains).or(past::remains);
    }

    /// Whether the ring was adopted, and part of the former setup is still in the way.
    public boolean unsettled() {
        return past.adopted().filter(a -> !a.settled()).isPresent();
    }

    public Journal withPast(Past newPast) {
        return new Journal(epoch, token, clusterId, applied, members, intent, newPast);
    }

    /// The CA of the ring's certificates, as PEM.
    public Optional<String> authority() {
        return past.certificates().map(Certificates::authority);
    }

    public Journal withMember(int ordinal, Member member) {
        var changed = new TreeMap<>(members);
        changed.put(ordinal, member);
        return new Journal(epoch, token, clusterId, applied, changed, intent, past);
    }

    public Journal withoutMember(int ordinal) {
        var changed = new TreeMap<>(members);
        changed.remove(ordinal);
        return new Journal(epoch, token, clusterId, applied, changed, intent, past);
    }
}
