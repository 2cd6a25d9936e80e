package io.github.etcdgitops.state.journal;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.WireName;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What a run is about to do or was doing, in the journal. `matter` is what is needed to continue that,
/// besides the ordinal: a [Roll] for ROLL and UNROLL, a [Recreation] for RECREATE, a [Replacement] for
/// REPLACE, [RetainedRing] for DELETE and RETURN, a [SnapshotOrigin] for RECOVER, and nothing for the
/// others.
///
/// `paused` is what was under way when REPLACE or RECOVER started, and continues when they end: members are
/// repaired during any other change. Such a chain is never longer than RECOVER, REPLACE and one other kind.
public record Intent(
        Kind kind,
        int ordinal,
        String operationId,
        long epoch,
        Optional<IntentMatter> matter,
        Optional<Intent> paused) {
    public Intent {
        if (paused.filter(p -> !mayPause(kind, p.kind())).isPresent()) {
            throw new IllegalArgumentException(
                    kind + " cannot pause " + paused.get().kind());
        }
    }

    /// FOUND, RESTORE, ADOPT, REPLACE, ROLL, UNROLL, RECREATE, DELETE, RETURN and RECOVER cover the whole
    /// ring; their ordinal is 0. UNROLL rolls back a roll. REPLACE gives members' places to new ones.
    /// RETURN restores what DELETE deletes. RECOVER ends a ring so that a RESTORE can follow in its place.
    public enum Kind implements WireName {
        FOUND,
        RESTORE,
        ADOPT,
        JOIN,
        LEAVE,
        REPLACE,
        ROLL,
        UNROLL,
        RECREATE,
        DELETE,
        RETURN,
        RECOVER;

        @Override
        public String wire() {
            return switch (this) {
                case FOUND -> "FOUND";
                case RESTORE -> "RESTORE";
                case ADOPT -> "ADOPT";
                case JOIN -> "JOIN";
                case LEAVE -> "LEAVE";
                case REPLACE -> "REPLACE";
                case ROLL -> "ROLL";
                case UNROLL -> "UNROLL";
                case RECREATE -> "RECREATE";
                case DELETE -> "DELETE";
                case RETURN -> "RETURN";
                case RECOVER -> "RECOVER";
            };
        }
    }

    /// A roll under way to the members' configuration at its end. `formerTemplate` is the digest of the
    /// former pod template: while that template is in place, no member was rolled. `stuck` says why it is
    /// rolled back, where a member could not start.
    public record Roll(MemberSettings target, String formerTemplate, Optional<String> stuck) implements IntentMatter {
        public Roll(MemberSettings target, String formerTemplate) {
            this(target, formerTemplate, Optional.empty());
        }
    }

    /// A StatefulSet that is recreated around its running pods, with claims of another size for future
    /// members. `revision` is the name of the ControllerRevision that has the pods' template, and
    /// `template` its digest: all that is left of it while there is no StatefulSet.
    public record Recreation(EtcdClusterSpec.Storage storage, int replicas, String revision, String template)
            implements IntentMatter {}

    /// New members on new volumes, by ordinal.
    public record Replacement(SortedMap<Integer, Former> formers) implements IntentMatter {
        public Replacement {
            formers = Collections.unmodifiableSortedMap(new TreeMap<>(formers));
        }
    }

    /// The member that is replaced, and `why`: its ID, and the UID of the claim that is given up with its
    /// data.
    public record Former(EtcdId member, String claimUid, Why why) {}

    /// Why a member's place is given to a new one.
    public enum Why implements WireName {
        /// The volume is lost, or is lost when the pod ends, and this must still be so when the member is
        /// removed.
        LOST,
        /// Another claim has that name, or none, and the member cannot start without the former.
        GONE,
        /// The only node that has the volume has been gone long enough.
        MACHINE_GONE,
        /// A document asks for another volume, by the claim's UID.
        VOLUME_ASKED,
        /// A document asks for another member, by its ID.
        MEMBER_ASKED,
        /// The data of the member differs from that of a majority of the voters.
        DIVERGED,
        /// The container of the member exits again and again, in each of its pods.
        FAILING,
        /// The member was removed from the ring by hand, and its pod still exists.
        REMOVED_BY_HAND;

        /// Whether the member is given up, whichever claim it has.
        public boolean ofMember() {
            return this == MEMBER_ASKED || this == DIVERGED || this == FAILING || this == REMOVED_BY_HAND;
        }

        @Override
        public String wire() {
            return switch (this) {
                case LOST -> "LOST";
                case GONE -> "GONE";
                case MACHINE_GONE -> "MACHINE_GONE";
                case VOLUME_ASKED -> "VOLUME_ASKED";
                case MEMBER_ASKED -> "MEMBER_ASKED";
                case DIVERGED -> "DIVERGED";
                case FAILING -> "FAILING";
                case REMOVED_BY_HAND -> "REMOVED_BY_HAND";
            };
        }
    }

    public Intent(Kind kind, int ordinal, String operationId, long epoch, Optional<IntentMatter> matter) {
        this(kind, ordinal, operationId, epoch, matter, Optional.empty());
    }

    /// For a kind that needs only an ordinal.
    public Intent(Kind kind, int ordinal, String operationId, long epoch) {
        this(kind, ordinal, operationId, epoch, Optional.empty());
    }

    /// For the whole ring.
    public static Intent of(Kind kind, String operationId, long epoch, IntentMatter matter) {
        return new Intent(kind, 0, operationId, epoch, Optional.of(matter));
    }

    private static boolean mayPause(Kind kind, Kind former) {
        return switch (kind) {
            case RECOVER -> former != Kind.RECOVER;
            case REPLACE -> former != Kind.RECOVER && former != Kind.REPLACE;
            case FOUND, RESTORE, ADOPT, JOIN, LEAVE, ROLL, UNROLL, RECREATE, DELETE, RETURN -> false;
        };
    }

    /// The same, pausing what was under way until now. An intent of its own kind is replaced.
    public Intent pausing(Optional<Intent> former) {
        return new Intent(
                kind,
                ordinal,
                operationId,
                epoch,
                matter,
                former.flatMap(f -> f.kind == kind ? f.paused : Optional.of(f)));
    }

    /// The same with its roll being rolled back, under this epoch.
    public Intent takenBack(long newEpoch, Optional<String> failure) {
        return matter.orElse(null) instanceof Roll(var target, String formerTemplate, var unused)
                ? new Intent(
                        Kind.UNROLL,
                        ordinal,
                        operationId,
                        newEpoch,
                        Optional.of(new Roll(target, formerTemplate, failure)))
                : new Intent(
                        kind, ordinal, operationId, epoch, matter, paused.map(p -> p.takenBack(newEpoch, failure)));
    }

    /// The same with this roll, not being rolled back, under this epoch.
    public Intent goingOn(Roll roll, long newEpoch) {
        var rolling = new Intent(Kind.ROLL, 0, operationId, newEpoch, Optional.of(roll));
        return matter(Roll.class).isPresent()
                ? rolling
                : new Intent(
                        kind,
                        ordinal,
                        operationId,
                        epoch,
                        matter,
                        Optional.of(paused.map(p -> p.goingOn(roll, newEpoch)).orElse(rolling)));
    }

    /// What is under way, and what is paused for it.
    public Stream<Intent> all() {
        return Stream.concat(Stream.of(this), paused.stream().flatMap(Intent::all));
    }

    /// Whether it adds this member: in a new place, or in that of a former one, which does not come back itself.
    /// `member` is empty where its ID is unknown.
    public boolean adds(int ordinal, Optional<EtcdId> member) {
        return (kind == Kind.JOIN && this.ordinal == ordinal)
                || replacement()
                        .flatMap(r -> Optional.ofNullable(r.formers().get(ordinal)))
                        .filter(former -> !Optional.of(former.member()).equals(member))
                        .isPresent();
    }

    /// The roll that is under way or paused.
    public Optional<Roll> roll() {
        return all().flatMap(i -> i.matter(Roll.class).stream()).findFirst();
    }

    /// The StatefulSet that is being recreated, which may be paused.
    public Optional<Recreation> recreation() {
        return all().flatMap(i -> i.matter(Recreation.class).stream()).findFirst();
    }

    public Optional<Replacement> replacement() {
        return matter(Replacement.class);
    }

    public Optional<RetainedRing> remains() {
        return matter(RetainedRing.class);
    }

    /// What the ring makes way for.
    public Optional<SnapshotOrigin> recovery() {
        return matter(SnapshotOrigin.class);
    }

    private <M extends IntentMatter> Optional<M> matter(Class<M> type) {
        return matter.filter(type::isInstance).map(type::cast);
    }
}
