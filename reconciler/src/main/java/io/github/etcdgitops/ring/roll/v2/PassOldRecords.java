package io.github.etcdgitops.ring.roll.v2;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.time.Duration;
import java.util.Optional;

/// Has every member write a snapshot of its log past the records that etcd 3.4 and earlier left there. A member
/// of 3.6 reads its log from its newest snapshot on, and ends at such a record.
///
/// Members write a snapshot by themselves after `snapshotCount` entries. Where the ring does not write that
/// much, entries without effect are added: they change no key and no revision.
public record PassOldRecords(long snapshotCount) implements Step {
    /// etcd's own before 3.6.
    private static final long USUAL_COUNT = 100_000;

    /// A member tells the index of an entry a moment before it writes the snapshot, and a request of a member
    /// that has just gone may still be on its way when the index is noted. Tried on 3.5.33: without a margin
    /// `snapshotCount` entries were enough.
    private static final long MARGIN = 1_000;

    /// For members with these settings.
    public static PassOldRecords of(MemberSettings members) {
        return new PassOldRecords(members.snapshotCount().orElse(USUAL_COUNT));
    }

    /// The most entries that may have to be added.
    public long most() {
        return snapshotCount + MARGIN;
    }

    /// The index that every member must have reached, where `last` is that of the last old record.
    public long due(long last) {
        return last + most();
    }

    @Override
    public Facts facts() {
        return Facts.of("PassOldRecords", Gate.GREEN)
                .undo("not needed: no key and no revision changes")
                .within(Duration.ofMinutes(30));
    }

    /// A ring without a key that came from 3.4 to 3.5.26 or later has members that note each other as removed, and
    /// they end beside a member of 3.6 (seen on 3.4.23, 3.5.33 and 3.6.14). Where the journal has the last record,
    /// the ring came over an earlier release.
    @Override
    public Optional<String> obstacle(ClusterState fresh) {
        boolean ours = fresh.kube()
                .knownJournal()
                .filter(journal -> journal.past().v2RecordsUpTo().isPresent())
                .isPresent();
        if (ours) {
            return Optional.empty();
        }
        var revisions = fresh.ring()
                .optional()
                .flatMap(ring -> ring.ofEach(status -> status.at().revision()));
        if (revisions.isEmpty()) {
            return Optional.of("not every member tells its revision");
        }
        return revisions.get().getMax() > 1
                ? Optional.empty()
                : Optional.of("no key was ever written to the ring. If it came from 3.4 to 3.5.26 or later, its"
                        + " members may end beside one of 3.6. It has no data: delete the ring, and create it on 3.6"
                        + " or later");
    }

    @Override
    public String text(ClusterRef ref) {
        return "Wait until every member has a snapshot past the records of etcd 3.4 and earlier, and write up to "
                + most() + " transactions without effect until then";
    }
}
