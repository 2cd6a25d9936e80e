package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.roll.v2.V2Data;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.release.UpgradePath;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Rollout;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.TemplateParts;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Restarts that a spec requires: first another configuration on the running version, then another
/// transport, then one version after the other. They are not mixed: so it is clear which one fails, and
/// each can be rolled back alone.
public final class Rolls {
    public static final String WHOLE_TEMPLATE = "pod template";

    private final EtcdClusterSpec spec;
    private final ClusterState state;
    private final Journal journal;
    private final Transports transports;
    private final Takeover takeover;
    private final Gates gates;
    private final List<Finding> findings = new ArrayList<>();

    /// The members' configuration after everything requested so far.
    private MemberSettings at;

    private boolean refused;

    public Rolls(EtcdClusterSpec spec, ClusterState state, Journal journal, Instant now) {
        this.spec = spec;
        this.state = state;
        this.journal = journal;
        this.transports = new Transports(spec, journal);
        this.takeover = new Takeover(spec, journal, now);
        this.gates = new Gates(spec.server().features());
        this.at = Configuration.next(spec, state.kube(), state.classes());
    }

    /// What blocks the changes that the spec asks for.
    public List<Finding> findings() {
        return List.copyOf(findings);
    }

    /// A change of template or options for a ring of `size` while nothing is under way.
    public Optional<Operation> configuration(int size) {
        var changed = changedParts();
        if (changed.isEmpty() || otherVersion().isPresent()) {
            return Optional.empty();
        }
        var tooSmall = SmallQuota.of(state, at);
        if (tooSmall.isPresent()) {
            findings.add(new Finding(Level.ERROR, FindingCode.QUOTA_BELOW_DATA, tooSmall.get()));
            refused = true;
            return Optional.empty();
        }
        var roll = allowed(new RollMembers(
                spec.ref(),
                roll(size, size, journal.applied(), at),
                state.templateWanted(),
                changed,
                rollout().attempt(),
                gates.ofMembers(journal.applied(), at)));
        refused = roll.isEmpty();
        return roll;
    }

    /// The operations from the current transport of a ring of `size` to the wanted one.
    public List<Operation> transports(int size) {
        var operations = new ArrayList<Operation>();
        var wanted = otherVersion().isPresent() ? at.transport() : transports.feasible(at);
        while (!refused && !at.transport().equals(wanted)) {
            var next = begun(at).with(at.transport().towards(wanted));
            var migration = allowed(migration(to(next, size)));
            if (migration.isEmpty()) {
                refused = true;
                break;
            }
            operations.add(migration.get());
            at = next;
        }
        return operations;
    }

    /// A ring that never had a CA gets the one that the spec asks for.
    private MemberSettings begun(MemberSettings has) {
        return has.transport().secured() || journal.authority().isPresent()
                ? has
                : has.with(Authorities.of(spec.server().tls().authority().number()));
    }

    /// The operations from the CAs that the members of a ring of `size` trust to the wanted ones.
    public List<Operation> authorities(int size) {
        var operations = new ArrayList<Operation>();
        takeover.finding().ifPresent(findings::add);
        for (var trusted :
                refused || otherVersion().isPresent() ? List.<Authorities>of() : takeover.from(at.trusted())) {
            var next = at.with(trusted);
            var rotation = allowed(rotation(to(next, size)));
            if (rotation.isEmpty()) {
                refused = true;
                break;
            }
            operations.add(rotation.get());
            at = next;
        }
        return operations;
    }

    /// What a member that joins now starts from.
    public Blueprint blueprint() {
        return Blueprint.like(spec, at);
    }

    /// The findings about the transport after all planned operations.
    public List<Finding> ofTransports() {
        return transports.findings(refused ? journal.applied() : at, refused);
    }

    /// The operations from the running version to the wanted one, for a ring that then has `size` members.
    public List<Operation> versions(int size) {
        var operations = new ArrayList<Operation>();
        // With the version, the members would also get the configuration that they failed to start with.
        var v2 = V2Data.findings(journal, state, spec.server().version());
        findings.addAll(v2);
        boolean held = v2.stream().anyMatch(found -> found.level() == Level.ERROR);
        for (var hop : refused || held ? List.<EtcdVersion>of() : hops()) {
            var next = at.with(hop, spec.server().imageOf(hop));
            var divided = Transports.divided(next);
            if (divided.isPresent()) {
                findings.add(divided.get());
                break;
            }
            var change = allowed(versionChange(to(next, size)));
            if (change.isEmpty()) {
                break;
            }
            V2Data.before(journal, at, hop).ifPresent(findings::add);
            operations.add(change.get());
            at = next;
        }
        return operations;
    }

    /// The roll under way, as it continues: `from` is the lowest ordinal that was already told to restart.
    public Operation underWay(Intent.Roll roll, int size, int from) {
        return underWay(roll, roll(size, from, journal.applied(), roll.target()));
    }

    /// The same roll for members that no longer start on the former version, before it continues.
    public Operation catchingUp(Intent.Roll roll, int size, int from, List<Integer> behind) {
        return underWay(roll, roll(size, from, journal.applied(), roll.target()).ofThoseBehind(behind));
    }

    private Operation underWay(Intent.Roll roll, Roll rest) {
        var former = journal.applied();
        if (!roll.target().transport().equals(former.transport())) {
            return migration(rest);
        }
        if (!roll.target().trusted().equals(former.trusted())) {
            return rotation(rest);
        }
        return roll.target().version().equals(former.version())
                ? new RollMembers(
                        spec.ref(),
                        rest,
                        state.templateWanted(),
                        changedParts(),
                        rollout().attempt(),
                        gates.ofMembers(former, roll.target()))
                : versionChange(rest);
    }

    /// Whether the spec still asks for the roll under way. A change of version continues despite other changes, as
    /// long as it is on the path. So does a change of TLS: the other changes follow it.
    public boolean stillWanted(Intent.Roll roll) {
        var has = journal.applied();
        if (!roll.target().transport().equals(has.transport())) {
            return has.transport()
                    .towards(transports.feasible(has))
                    .equals(roll.target().transport());
        }
        // Whatever the spec says by now: the roll must not stop where only half of the members trust a CA.
        if (!roll.target().trusted().equals(has.trusted())) {
            return true;
        }
        if (!roll.target().version().equals(has.version())) {
            return hops().contains(roll.target().version());
        }
        var digest = template();
        return roll.target().equals(Configuration.now(spec, state.kube()))
                && (digest.equals(roll.formerTemplate()) || digest.equals(state.templateWanted()));
    }

    private Operation migration(Roll roll) {
        var tls = spec.server().tls().with(roll.target().transport());
        return new MigrateTls(spec.ref(), roll, tls, rollout().attempt(), gates.ofTransport(roll));
    }

    private Operation rotation(Roll roll) {
        var tls = spec.server().tls().with(roll.target().transport());
        return new RotateAuthority(spec.ref(), roll, tls, rollout().attempt());
    }

    private Operation versionChange(Roll roll) {
        int attempt = rollout().attempt();
        return roll.downgrades()
                ? new DowngradeVersion(spec.ref(), roll, attempt)
                : new UpgradeVersion(spec.ref(), roll, attempt);
    }

    private List<EtcdVersion> hops() {
        var foreign = otherVersion();
        if (foreign.isPresent()) {
            boolean wanted = !spec.server().version().equals(journal.applied().version());
            findings.add(new Finding(wanted ? Level.ERROR : Level.WARNING, FindingCode.VERSION_DIFFERS, foreign.get()));
            return List.of();
        }
        return switch (spec.catalog()
                .path(
                        journal.applied().version(),
                        spec.server().version(),
                        rollout().via())) {
            case UpgradePath.Hops(var versions) -> versions;
            case UpgradePath.None(String reason) -> {
                findings.add(new Finding(Level.ERROR, FindingCode.NO_WAY_TO_VERSION, reason));
                yield List.of();
            }
        };
    }

    /// The path must start at the running version, or it leads elsewhere.
    private Optional<String> otherVersion() {
        var known = journal.applied().version();
        return state.ring()
                .optional()
                .flatMap(ring -> ring.voters().stream()
                        .flatMap(m -> m.status().optional().stream()
                                .filter(s ->
                                        journal.roll().isEmpty() && !s.version().equals(known))
                                .map(s -> m.name() + " runs etcd " + s.version()))
                        .findFirst()
                        .map(text -> text + ", and the journal says " + known
                                + ". The image was changed by hand, or its content does not match its name"));
    }

    /// A change that was rolled back is not started again unchanged.
    private Optional<Operation> allowed(Operation operation) {
        var before = journal.past().backedOut().filter(b -> b.operationId().equals(operation.id()));
        before.ifPresent(b -> findings.add(new Finding(
                Level.ERROR,
                operation.features().isEmpty() ? FindingCode.TAKEN_BACK : FindingCode.FEATURE_TAKEN_BACK,
                operation.summary() + " was started and taken back: " + b.reason()
                        + ". It is not tried again unchanged. Change the spec, or raise spec.rollout.attempt when"
                        + " the reason is gone")));
        return before.isPresent() ? Optional.empty() : Optional.of(operation);
    }

    private Roll to(MemberSettings next, int size) {
        return roll(size, size, at, next);
    }

    private Roll roll(int size, int from, MemberSettings former, MemberSettings target) {
        return new Roll(
                size, from, former, Blueprint.like(spec, target), rollout().soak());
    }

    private Rollout rollout() {
        return spec.declaration().rollout();
    }

    private String template() {
        return state.kube()
                .knownSet()
                .map(KubeState.StatefulSetState::templateDigest)
                .orElse("");
    }

    /// The names of the template parts that change. A template that is not ours has no named parts.
    private List<String> changedParts() {
        if (TemplateParts.parse(template()).foreign()) {
            return List.of(WHOLE_TEMPLATE);
        }
        return TemplateParts.parse(state.templateWanted()).differing(TemplateParts.parse(template()));
    }
}
