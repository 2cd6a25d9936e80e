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

    /// The wire name of what it is: in ids, documents, JSON, metrics and journals. A class may be
    /// renamed, its wire name stays.
    String kind();

    /// What of the documents asks for it: whoever wrote that is an author of the change. Empty where
    /// nobody has asked, because it mends the ring or is due by itself.
    List<RequestedBy> requestedBy();

    /// What the ring is like once the operation is done, in words that depend on nothing else:
    /// approvals hang on it.
    String target();

    /// Everything that it carries out besides: what of it another value of would make it another
    /// change. Never what the ring is like before.
    Resolved resolved();

    Risk risk();

    /// Why it is planned: for people.
    String reason();

    /// What it does, in one line: for people.
    String summary();

    List<Step> steps();

    /// Whether the ring is another one, or in danger, while this is carried out. What only reads it
    /// does not keep later operations from being tried when it fails.
    default boolean changesRing() {
        return true;
    }

    /// Whether there is no ring before: then its namespace is made first.
    default boolean beginsRing() {
        return false;
    }

    /// Whether there is no ring afterwards, and no journal of one.
    default boolean endsRing() {
        return false;
    }

    /// Whether it is done for the change that is planned after it: where it fails, that is not begun.
    default boolean servesChange() {
        return false;
    }

    /// Whether a young verified backup must be there before it begins, where a policy keeps any.
    default boolean needsBackup() {
        return false;
    }

    /// Whether it mends the ring, or ends what was begun: then it goes before backups, too.
    default boolean heals() {
        return false;
    }

    /// Whether it mends the ring, or ends what was begun in it: then it waits for no window and no rule
    /// about changes, since half a change is worse than either end of it.
    default boolean endsWhatWasBegun() {
        return heals();
    }

    /// Whether members were lost that it replaces.
    default boolean mendsLosses() {
        return false;
    }

    /// Who must have let it be done.
    enum Consent implements WireName {
        /// As risky as it is, it may need an approval.
        BY_RISK,
        /// It waits for nobody: it brings back what an earlier run, which was let do it, has taken away.
        GIVEN,
        /// The ring's own document lets it be done.
        PERMITTED,
        /// The same, as long as few rings need such a thing at a time.
        STANDING,
        /// However small its risk is, somebody approves it.
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

    /// The cluster ID that an approval of it must name, so that nobody gives away another ring than the one
    /// that is meant.
    default Optional<EtcdId> toBeNamed() {
        return Optional.empty();
    }

    /// The feature gates that it changes in the ring, or carries on changing.
    default List<FeatureChange> features() {
        return List.of();
    }

    /// Identifies the operation by ring, kind and all that will be carried out, so that an approval is
    /// for exactly that, and neither a commit nor an approval nor a run voids it.
    default String id() {
        return Digests.name(
                ref() + "\n" + kind() + "\n" + target() + "\n" + resolved().text(), 16);
    }
}
