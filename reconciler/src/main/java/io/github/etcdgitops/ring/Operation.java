package io.github.etcdgitops.ring;

import io.github.etcdgitops.digest.Digests;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.WireName;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Optional;

/// An intent for one ring, as data: it can be printed, stored, hashed, approved and simulated. To add
/// one: a file here with a static `detect`, a line in the planner, a golden case, a page in
/// `docs/operations/`.
public interface Operation {
    ClusterRef ref();

    /// The wire name of the operation's kind, in ids, documents, JSON, metrics and journals. A class may be
    /// renamed; its wire name stays.
    String kind();

    /// Which parts of the documents ask for it. Their authors are authors of the change. Empty where no
    /// document asks, because the operation repairs the ring or is due by itself.
    List<RequestedBy> requestedBy();

    /// The state of the ring after the operation, in text that depends on nothing else: approvals depend on
    /// it.
    String target();

    /// Everything else that the operation carries out, where another value would make it another change.
    /// Never the state of the ring before it.
    Resolved resolved();

    Risk risk();

    /// Why it is planned, for people.
    String reason();

    /// What it does, in one line, for people.
    String summary();

    List<Step> steps();

    /// Whether the operation changes the ring, or puts it at risk. When an operation that only reads the
    /// ring fails, later operations are still tried.
    default boolean changesRing() {
        return true;
    }

    /// Whether the ring does not exist before it: then the run creates its namespace first.
    default boolean beginsRing() {
        return false;
    }

    /// Whether neither the ring nor its journal exists afterwards.
    default boolean endsRing() {
        return false;
    }

    /// Whether it prepares the change planned after it: if it fails, that change does not start.
    default boolean servesChange() {
        return false;
    }

    /// Whether it needs a recent verified backup before it starts, where a policy keeps backups.
    default boolean needsBackup() {
        return false;
    }

    /// Whether it repairs the ring, or completes what was started: then it also goes before backups.
    default boolean heals() {
        return false;
    }

    /// Whether it repairs the ring, or completes what was started in it. Then it waits for no window and no
    /// rule about changes: half a change is worse than either end of it.
    default boolean endsWhatWasBegun() {
        return heals();
    }

    /// Whether it replaces lost members.
    default boolean mendsLosses() {
        return false;
    }

    /// Who must agree to the operation.
    enum Consent implements WireName {
        /// Its risk decides whether it needs an approval.
        BY_RISK,
        /// It needs no approval: it restores what an earlier, permitted run took away.
        GIVEN,
        /// The ring's own document permits it.
        PERMITTED,
        /// The same, as long as only a few rings need such an operation at a time.
        STANDING,
        /// It needs an approval, however small its risk.
        NEEDED;

        @Override
        public String wire() {
            return switch (this) {
                case BY_RISK -> "by_risk";
                case GIVEN -> "given";
                case PERMITTED -> "permitted";
                case STANDING -> "standing";
                case NEEDED -> "needed";
            };
        }
    }

    default Consent consent() {
        return Consent.BY_RISK;
    }

    /// The cluster ID that an approval must name, so that it cannot apply to the wrong ring.
    default Optional<EtcdId> toBeNamed() {
        return Optional.empty();
    }

    /// The feature gates that it changes in the ring, or continues to change.
    default List<FeatureChange> features() {
        return List.of();
    }

    /// Identifies the operation by ring, kind and everything it will carry out. So an approval covers
    /// exactly that, and no commit, approval or run invalidates it.
    default String id() {
        return Digests.name(
                ref() + "\n" + kind() + "\n" + target() + "\n" + resolved().text(), 16);
    }
}
