package io.github.etcdgitops.ring.storage;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.VolumeGrowth;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.journal.Intent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Makes the volumes of a ring of `members` larger, one after the other; their claims are named by
/// `claimTemplate`. Then recreates the StatefulSet, because its claim template for new members cannot be
/// changed. The pods keep running, and no member restarts unless there are `restarts`: members whose file
/// system did not grow under the running pod. Then the other volumes are assumed to be of the same kind.
///
/// A larger volume stays larger. A failure leaves some volumes larger, and the next run continues. Or it
/// leaves a ring without its StatefulSet: its members keep running, and a lost one is not recreated until
/// the next run restores the StatefulSet from the journal.
public record GrowStorage(
        ClusterRef ref,
        String claimTemplate,
        int members,
        Storage storage,
        List<Integer> claims,
        GrowStorage.Restarts restarts,
        GrowStorage.Stage stage)
        implements Operation {
    /// The state of the StatefulSet.
    public enum Stage {
        /// It is correct, and stays.
        KEPT,
        /// It must be recreated.
        FORMER,
        /// It is being deleted, or gone.
        GONE,
        /// It exists again, or stays after all, and the journal does not say so yet.
        BACK
    }

    /// Members by ordinal, and the image that they start from, if it is known.
    public record Restarts(List<Integer> members, Optional<String> image) {
        public Restarts {
            members = List.copyOf(members);
        }

        public boolean none() {
            return members.isEmpty();
        }
    }

    public GrowStorage {
        claims = List.copyOf(claims);
    }

    /// With restarts from an image that no journal names.
    public GrowStorage(
            ClusterRef ref,
            String claimTemplate,
            int members,
            Storage storage,
            List<Integer> claims,
            List<Integer> restarts,
            GrowStorage.Stage stage) {
        this(ref, claimTemplate, members, storage, claims, new Restarts(restarts, Optional.empty()), stage);
    }

    /// For a ring with no change under way, or one whose growth was interrupted.
    public static Optional<GrowStorage> detect(EtcdClusterSpec spec, ClusterState state, int members) {
        var growth = VolumeGrowth.of(spec, state.kube(), state.classes());
        var recreation = recreation(state.kube());
        boolean proceeds = growth.feasible() && growth.wanted();
        if (!proceeds && recreation.isEmpty()) {
            return Optional.empty();
        }
        boolean replaces = proceeds && growth.template();
        if (recreation.isPresent() && !replaces) {
            // This growth completes alone: any further growth is another change, and may have to wait.
            return Optional.of(new GrowStorage(
                    spec.ref(),
                    state.kube().claimTemplate(),
                    members,
                    recreation.get().storage(),
                    List.of(),
                    List.of(),
                    Stage.BACK));
        }
        return Optional.of(new GrowStorage(
                spec.ref(),
                state.kube().claimTemplate(),
                members,
                spec.storage(),
                growth.claims(),
                new Restarts(growth.restarts(), Blueprint.running(spec, state.kube())),
                replaces ? Stage.FORMER : Stage.KEPT));
    }

    /// Restores what an interrupted run deleted, whatever the spec says by now.
    public static GrowStorage resumed(ClusterRef ref, String claimTemplate, Intent.Recreation recreation) {
        return new GrowStorage(
                ref, claimTemplate, recreation.replicas(), recreation.storage(), List.of(), List.of(), Stage.GONE);
    }

    private static Optional<Intent.Recreation> recreation(KubeState kube) {
        return kube.knownJournal().flatMap(j -> j.recreation());
    }

    @Override
    public String kind() {
        return "GrowStorage";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(RequestedBy.Part.STORAGE);
    }

    @Override
    public String target() {
        return "storage=" + storage.size() + (restarts.none() ? "" : " restarting");
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING
                .and("class", storage.storageClassName())
                .image(restarts.none() ? Optional.empty() : restarts.image());
    }

    /// A ring of one or two members has no quorum while a member restarts.
    @Override
    public Risk risk() {
        if (restarts.none()) {
            return Risk.LOW;
        }
        return new Quorum(members, members - 1).holds() ? Risk.MEDIUM : Risk.HIGH;
    }

    @Override
    public Consent consent() {
        boolean restores = stage == Stage.GONE || (stage == Stage.BACK && claims.isEmpty() && restarts.none());
        return restores ? Consent.GIVEN : Consent.BY_RISK;
    }

    @Override
    public String reason() {
        return stage == Stage.GONE || stage == Stage.BACK
                ? "the StatefulSet was being recreated when the run ended"
                : "the spec asks for larger volumes than the ring has";
    }

    @Override
    public String summary() {
        var parts = new ArrayList<String>();
        if (!claims.isEmpty()) {
            parts.add("grow " + names(claims) + " to " + storage.size());
        }
        if (!restarts.none()) {
            parts.add("restart " + podNames() + " for their file systems");
        }
        switch (stage) {
            case KEPT -> {}
            case FORMER -> parts.add("recreate the StatefulSet around its pods");
            case GONE -> parts.add("create the missing StatefulSet around its pods");
            case BACK -> parts.add("record that the StatefulSet exists");
        }
        return String.join(", ", parts);
    }

    private String names(List<Integer> ordinals) {
        return String.join(", ", ordinals.stream().map(this::claim).toList());
    }

    private String claim(int ordinal) {
        return ref.claimName(claimTemplate, ordinal);
    }

    private String podNames() {
        return String.join(
                ", ",
                Stream.concat(restarts.members().stream(), claims.stream().filter(this::isMember))
                        .map(ref::podName)
                        .toList());
    }

    private boolean isMember(int ordinal) {
        return ordinal < members;
    }

    /// A ring without its StatefulSet is worse than one with small volumes.
    @Override
    public boolean heals() {
        return stage == Stage.GONE;
    }

    @Override
    public boolean endsWhatWasBegun() {
        return heals() || (stage == Stage.BACK && claims.isEmpty() && restarts.none());
    }

    @Override
    public boolean needsBackup() {
        return !claims.isEmpty() || !restarts.none();
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        boolean restarting = !restarts.none();
        if (restarting) {
            steps.add(new ObjectStep.BlockEvictions(members));
            restarts.members().forEach(ordinal -> restart(steps, ordinal));
        }
        for (int ordinal : claims) {
            boolean restarted = restarting && isMember(ordinal);
            steps.add(new GrowStep.ExpandClaim(ordinal, claim(ordinal), storage.size(), restarted));
            if (restarted) {
                restart(steps, ordinal);
            }
        }
        if (stage == Stage.FORMER && !restarting) {
            steps.add(new ObjectStep.BlockEvictions(members));
        }
        if (stage == Stage.FORMER) {
            steps.add(new GrowStep.BeginRecreation(storage, id()));
            steps.add(new GrowStep.OrphanPods());
        }
        if (stage == Stage.FORMER || stage == Stage.GONE) {
            steps.add(new GrowStep.RecreateStatefulSet(members));
        }
        if (stage != Stage.KEPT) {
            steps.add(new GrowStep.FinishRecreation());
        }
        if (restarting || stage == Stage.FORMER || stage == Stage.GONE) {
            steps.add(new ObjectStep.SetBudget(Budget.of(members)));
        }
        return List.copyOf(steps);
    }

    private void restart(List<Step> steps, int ordinal) {
        if (members > 1) {
            steps.add(new MemberStep.YieldLeadership(ordinal));
        }
        steps.add(new GrowStep.RestartForVolume(ordinal, storage.size()));
    }
}
