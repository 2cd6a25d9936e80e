package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.Manifests;
import io.github.etcdgitops.observe.OfflineObservation;
import io.github.etcdgitops.pipeline.backup.BackupListing;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.RingBackups;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.value.Observed;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The effect of changed documents, as far as documents alone show it: the plan of `after` for rings that
/// exactly match `before`. It contacts no ring, and needs no credential.
public final class Offline {
    private final Manifests manifests;
    private final Instant now;
    private final String tool;

    public Offline(Manifests manifests, Instant now, String tool) {
        this.manifests = manifests;
        this.now = now;
        this.tool = tool;
    }

    /// `base` is the name of the revision of `before`, for people.
    public FleetPlan plan(DesiredState before, DesiredState after, String environment, String base) {
        var plan = view(before, environment, true).plan(after, environment);
        var unseen = plan.clusters().stream().map(ClusterPlan::unseen).toList();
        return plan.with(unseen)
                .with(new FleetPlan.Beside(new TreeMap<>(), plan.findings()))
                .with(new Finding(
                        Level.NOTE,
                        FindingCode.OFFLINE,
                        "no ring was observed. This plan assumes that all rings are as in " + base
                                + ", healthy, with fresh backups and with volumes that can grow"));
    }

    /// The plans of every environment that has rings.
    public List<FleetPlan> plans(DesiredState before, DesiredState after, String base) {
        return Environments.all(after).stream()
                .map(environment -> plan(before, after, environment, base))
                .toList();
    }

    /// The same, with the answer of every rule. It does not mention that no ring was contacted. Unless
    /// `backedUp`, no location has a backup.
    public Heard hear(DesiredState before, DesiredState after, String environment, boolean backedUp) {
        return view(before, environment, backedUp).hear(after, environment);
    }

    private FleetView view(DesiredState before, String environment, boolean backedUp) {
        var specs = Environments.rings(before, environment);
        var rings = new OfflineObservation(manifests, specs, ref -> unknown(before, ref));
        return new FleetView(rings, new Imagined(rings, backedUp), InstantSource.fixed(now), tool, Suspensions.NONE);
    }

    /// An unreadable document in `before` may be that of any ring that has no other.
    private static Optional<String> unknown(DesiredState before, ClusterRef ref) {
        if (before.rings().containsKey(ref)) {
            return Optional.empty();
        }
        return before.rejected().contains(ref)
                ? Optional.of("the former state of the ring is unknown: its document was already invalid then")
                : InvalidPolicies.of(before, ref)
                        .map(at -> "the former state of the ring is unknown: at that time, " + at);
    }

    /// Every location has a recent verified backup of every ring; or none has any.
    private record Imagined(OfflineObservation rings, boolean backedUp) implements BackupListing {
        @Override
        public Observed<SortedMap<ClusterRef, RingBackups>> list(Destination place, String environment, Instant now) {
            var backups = new TreeMap<ClusterRef, RingBackups>();
            if (!backedUp) {
                return Observed.known(backups);
            }
            rings.list(_ -> true).refs().forEach(ref -> {
                var key = new BackupKey(environment, ref, rings.clusterId(ref), BackupKey.stamp(now));
                var proven = new StoredBackup.Drill(now, true);
                backups.put(
                        ref, new RingBackups(List.of(new StoredBackup(key, now, false, List.of(proven))), List.of()));
            });
            return Observed.known(backups);
        }

        @Override
        public BackupStores stores() {
            return _ -> {
                throw new GatewayException(
                        GatewayException.Kind.UNREACHABLE, false, "offline plans do not read backup stores");
            };
        }
    }
}
