package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ClusterState;
import java.time.Duration;
import java.util.Optional;

/// Steps by which etcd itself is prepared for an earlier minor version, or the preparation is cancelled.
/// `target` is that version, with patch 0.
public sealed interface DowngradeStep extends Step {
    /// Checks and announces the downgrade at etcd. The journal has the intent already.
    record AnnounceDowngrade(EtcdVersion target) implements DowngradeStep {
        @Override
        public Facts facts() {
            return Facts.of("AnnounceDowngrade", Gate.GREEN)
                    .undo("by cancelling it at etcd, until the last member is restarted")
                    .within(Duration.ofMinutes(1));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Announce the downgrade to " + target.minorName() + " to the ring, which lowers the cluster version";
        }

        @Override
        public Optional<String> obstacle(ClusterState fresh) {
            return DowngradeGate.unready(fresh);
        }
    }

    /// Waits until every member has rewritten its data for the earlier version.
    record AwaitPrepared(EtcdVersion target) implements DowngradeStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitPrepared", Gate.NONE).undo("changes nothing");
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until every member has prepared its data for etcd " + target.minorName();
        }
    }

    /// Waits until etcd has ended the downgrade by itself, which it does when no member of the later version
    /// is left.
    record AwaitDowngradeEnded(EtcdVersion target) implements DowngradeStep {
        @Override
        public Facts facts() {
            return Facts.of("AwaitDowngradeEnded", Gate.NONE)
                    .undo("by an upgrade; it is not cancelled any more"
                            + (target.hasDowngrade()
                                    ? ""
                                    : ". A further downgrade is refused: no server of etcd " + target.minorName()
                                            + " prepares its data for an earlier version"));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Wait until etcd has ended the downgrade, with cluster version " + target.minorName();
        }
    }

    /// Cancels the announced downgrade, so that etcd raises the cluster version when all members run the later
    /// version again. etcd says that it is done even where it failed, so the members are asked afterwards.
    record CancelDowngrade() implements DowngradeStep {
        @Override
        public Facts facts() {
            return Facts.of("CancelDowngrade", Gate.EXPECTED).undo("yes").within(Duration.ofMinutes(1));
        }

        @Override
        public String text(ClusterRef ref) {
            return "Cancel the downgrade at etcd";
        }
    }
}
