package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.observe.Rings;
import io.github.etcdgitops.pipeline.backup.BackupListing;
import io.github.etcdgitops.pipeline.backup.Protections;
import io.github.etcdgitops.pipeline.backup.Restoring;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.pipeline.environment.Parallel;
import io.github.etcdgitops.pipeline.environment.RingBorder;
import io.github.etcdgitops.plan.BackupStanding;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.ContinuedOperation;
import io.github.etcdgitops.plan.Orphan;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.plan.fleet.FeatureRollout;
import io.github.etcdgitops.plan.fleet.FeatureStanding;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.plan.fleet.PlannedRing;
import io.github.etcdgitops.plan.fleet.RepairBudget;
import io.github.etcdgitops.plan.fleet.RingFacts;
import io.github.etcdgitops.policy.FleetRules;
import io.github.etcdgitops.policy.Hearing;
import io.github.etcdgitops.policy.Hearings;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.policy.RulesChange;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.validation.Violation;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Observes and plans every ring of an environment. LISTs only find rings, and an action needs reads by
/// name. So a ring that is not simply in sync is read again before anything is planned for it.
public final class FleetView {
    private static final int PROBES_AT_ONCE = 64;

    private final Rings rings;
    private final BackupListing backups;
    private final InstantSource clock;
    private final String tool;
    private final Suspensions restraints;

    public FleetView(Rings rings, BackupStores stores, InstantSource clock, String tool) {
        this(rings, stores, clock, tool, Suspensions.NONE, Optional::empty, Optional::empty);
    }

    /// `doubt` says why the clock cannot be trusted, `unable` why no ring can be restored.
    public FleetView(
            Rings rings,
            BackupStores stores,
            InstantSource clock,
            String tool,
            Suspensions restraints,
            Supplier<Optional<String>> doubt,
            Supplier<Optional<String>> unable) {
        this(rings, new BackupListing.OfStores(stores, doubt, unable), clock, tool, restraints);
    }

    FleetView(Rings rings, BackupListing backups, InstantSource clock, String tool, Suspensions restraints) {
        this.rings = rings;
        this.backups = backups;
        this.clock = clock;
        this.tool = tool;
        this.restraints = restraints;
    }

    /// The part of it that may be carried out.
    DesiredState allowed(DesiredState desired) {
        return desired.outside(restraints.forbidden());
    }

    /// What `kept` keeps of every existing ring, as observed: those of the environment, and those without a document.
    public <T> List<T> observe(DesiredState read, String environment, Function<ClusterState, T> kept) {
        var desired = allowed(read);
        var listed = FoundRings.list(rings, desired);
        var all = new ArrayList<>(Parallel.mapFromFew(
                Environments.rings(desired, environment),
                PROBES_AT_ONCE,
                spec -> kept.apply(RingBorder.state(spec.ref(), () -> observe(spec, listed.state(spec.ref()))))));
        all.addAll(Parallel.mapFromFew(
                listed.orphans(),
                PROBES_AT_ONCE,
                ref -> kept.apply(RingBorder.state(ref, () -> orphaned(ref, listed.state(ref))))));
        return List.copyOf(all);
    }

    private ClusterState observe(EtcdClusterSpec spec, Optional<KubeState> listed) {
        return listed.map(seen -> rings.complete(spec.ref(), seen, Optional.of(spec)))
                .orElseGet(() -> rings.fresh(spec));
    }

    private ClusterState orphaned(ClusterRef ref, Optional<KubeState> listed) {
        return rings.complete(ref, listed.orElseThrow(), Optional.empty());
    }

    /// Plans only the rings of the environment that `mine` selects. Rollout slots cannot be decided from a
    /// part: `turns` are those of the whole.
    public FleetPlan part(DesiredState read, String environment, Predicate<ClusterRef> mine, RolloutSlots turns) {
        var desired = allowed(read);
        var specs = Environments.rings(desired, environment).stream()
                .filter(spec -> mine.test(spec.ref()))
                .toList();
        var planning = new Planning(desired, environment, FoundRings.part(rings, desired, environment, mine));
        var alone = planning.plan(specs, planning::ring);
        var featured = RingBorder.fleet(alone, p -> FeatureRollout.only(p, planning.features(), turns.features()));
        var budgeted = RingBorder.fleet(featured, p -> planning.budget.only(p, turns.repairs()));
        var plans = planning.ordered(
                RingBorder.fleet(budgeted, p -> planning.fleetRules().only(p, turns.operations())));
        return planning.shown(plans, List.of(), List.of());
    }

    public FleetPlan plan(DesiredState desired, String environment) {
        return plan(desired, environment, _ -> {});
    }

    Heard hear(DesiredState desired, String environment) {
        var hearings = new ArrayList<Hearing>();
        var plan = plan(desired, environment, hearings::add);
        var asked = Hearings.of(desired);
        for (var cluster : plan.clusters()) {
            hearings.addAll(asked.of(cluster, BackupStanding.of(plan.needsOf(cluster.ref())), clock.instant()));
        }
        return new Heard(plan, hearings);
    }

    private FleetPlan plan(DesiredState read, String environment, Consumer<Hearing> heard) {
        var desired = allowed(read);
        var listed = FoundRings.list(rings, desired);
        var planning = new Planning(desired, environment, listed);
        var alone = planning.plan(Environments.rings(desired, environment), planning::ring);
        desired.rejected().forEach(planning::rejected);
        int most = desired.fleet().limits().maxParallelFeatures();
        var featured = RingBorder.fleet(alone, plans -> FeatureRollout.limited(plans, planning.features(), most));
        var budgeted = RingBorder.fleet(featured, planning.budget::limited);
        var plans = new ArrayList<>(planning.ordered(
                RingBorder.fleet(budgeted, all -> planning.fleetRules().limited(all, heard))));
        plans.addAll(planning.plan(listed.orphans(), planning::orphan));
        planning.besides();
        desired.rejected().stream()
                .filter(ref -> !desired.rings().containsKey(ref))
                .forEach(ref -> plans.add(ClusterPlan.rejected(ref)));
        return planning.shown(plans, desired.violations(), besides(planning, listed));
    }

    private List<Finding> besides(Planning planning, FoundRings listed) {
        var findings = new ArrayList<>(planning.policies.findings(clock.instant()));
        listed.listing()
                .leftOut()
                .forEach(text -> findings.add(new Finding(Level.WARNING, FindingCode.OBJECTS_LEFT_OUT, text)));
        findings.addAll(RulesChange.findings(planning.desired));
        LargeFiles.in(planning.desired).ifPresent(findings::add);
        return findings;
    }

    /// The state of the ring's backups now: its own locations are listed again.
    BackupStanding backups(DesiredState desired, String environment, EtcdClusterSpec ring) {
        return Protections.standing(backups.stores(), desired, environment, rings.fresh(ring), ring, clock.instant());
    }

    /// Plans many rings, several at a time. What was read of a ring is gone when it is planned: only its plan and its
    /// facts stay.
    private final class Planning {
        private final DesiredState desired;
        private final String environment;
        private final FoundRings listed;
        private final PolicyEngine policies;
        private final RepairBudget budget;
        private final Protections protections;
        /// Written between the stages, by one thread.
        private final SortedMap<ClusterRef, RingFacts> facts = new TreeMap<>();

        Planning(DesiredState desired, String environment, FoundRings listed) {
            this.desired = desired;
            this.environment = environment;
            this.listed = listed;
            this.policies = PolicyEngine.of(desired);
            this.budget = new RepairBudget(
                    desired.fleet().limits().maxUnaskedRepairs(),
                    operation -> policies.approved(operation, clock.instant()));
            this.protections = Protections.read(
                    backups, desired, environment, () -> Restoring.of(listed.listing()), clock.instant());
        }

        <T> List<ClusterPlan> plan(List<T> wanted, Function<T, PlannedRing> planning) {
            var planned = Parallel.mapFromFew(wanted, PROBES_AT_ONCE, planning);
            planned.forEach(ring -> facts.put(ring.plan().ref(), ring.facts()));
            return planned.stream().map(PlannedRing::plan).toList();
        }

        /// If an error ends its planning, what was read of the ring until then counts.
        PlannedRing ring(EtcdClusterSpec spec) {
            var seen = listed.state(spec.ref());
            var known = new AtomicReference<>(RingFacts.listed(seen));
            var plan = RingBorder.plan(spec.ref(), () -> planned(spec, seen, known));
            return new PlannedRing(plan, known.get().unread(seen));
        }

        /// Kubernetes types are checked at rendering; an invalid one affects only this ring.
        private ClusterPlan planned(EtcdClusterSpec spec, Optional<KubeState> seen, AtomicReference<RingFacts> known) {
            try {
                var state = observe(spec, seen);
                var plan = plan(spec, state, known);
                if (plan.situation() != Situation.IN_SYNC
                        && !state.kube().objects().confirmed()) {
                    plan = plan(spec, rings.fresh(spec), known);
                }
                var admitted = plan.withFindings(policies.admit(spec, clock.instant()));
                var gated = gate(admitted, known.get());
                return Orphan.waiting(state, desired.tombstones(spec.ref()))
                        .map(tombstone -> Orphan.notBeside(tombstone, gated))
                        .orElse(gated);
            } catch (IllegalArgumentException e) {
                return ClusterPlan.notRendered(spec.ref(), e);
            }
        }

        private ClusterPlan plan(EtcdClusterSpec spec, ClusterState state, AtomicReference<RingFacts> known) {
            var now = clock.instant();
            var asked = protections.of(spec, state).asking(policies.freshness(spec, now));
            known.set(known.get().read(spec, state, asked));
            return Planner.plan(spec, state, asked, now)
                    .withFindings(policies.drift(spec, state, now))
                    .withFindings(ContinuedOperation.findings(state));
        }

        /// Read by name only where a tombstone asks to delete it.
        PlannedRing orphan(ClusterRef ref) {
            var seen = listed.state(ref);
            var known = new AtomicReference<>(RingFacts.listed(seen));
            var plan = RingBorder.plan(ref, () -> {
                var tombstones = desired.tombstones(ref);
                var state = tombstones.isEmpty() ? orphaned(ref, seen) : rings.orphan(ref);
                known.set(known.get().orphaned(state));
                var planned = Orphan.plan(state, tombstones, InvalidPolicies.clearance(desired, environment, ref));
                return policies.gate(planned.withFindings(ContinuedOperation.findings(state)), clock.instant());
            });
            return new PlannedRing(plan, known.get());
        }

        void rejected(ClusterRef ref) {
            var seen = listed.state(ref);
            facts.put(ref, facts.getOrDefault(ref, RingFacts.listed(seen)).unread(seen));
        }

        /// Rings that were found and not planned: those of other environments.
        void besides() {
            listed.listing()
                    .refs()
                    .forEach(ref -> facts.computeIfAbsent(ref, _ -> RingFacts.listed(listed.state(ref))));
        }

        private RingFacts known(ClusterRef ref) {
            return facts.getOrDefault(ref, RingFacts.NONE);
        }

        /// If a later rule holds an operation, the operations after it wait as well.
        List<ClusterPlan> ordered(List<ClusterPlan> limited) {
            return limited.stream().map(plan -> gate(plan, known(plan.ref()))).toList();
        }

        private ClusterPlan gate(ClusterPlan plan, RingFacts known) {
            var backedUp = BackupStanding.of(known.needs().orElse(BackupNeeds.NONE));
            return RingBorder.plan(plan.ref(), () -> policies.gate(plan, backedUp, clock.instant()));
        }

        SortedMap<ClusterRef, FeatureStanding> features() {
            return RingFacts.known(facts, RingFacts::features);
        }

        FleetRules fleetRules() {
            return new FleetRules(policies, RingFacts.known(facts, RingFacts::readiness), clock.instant());
        }

        FleetPlan shown(List<ClusterPlan> plans, List<Violation> violations, List<Finding> findings) {
            var beside = new FleetPlan.Beside(facts, findings);
            var plan = new FleetPlan(environment, desired.digest(), tool, plans, violations, beside);
            return ReportView.tried(restraints.held(plan), clock.instant());
        }
    }
}
