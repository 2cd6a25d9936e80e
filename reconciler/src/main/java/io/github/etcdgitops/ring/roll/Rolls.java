package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Rollout;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.VersionCatalog;
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

/// What of a spec asks for its members to be restarted: another configuration first, on the version
/// that runs, then another way to be talked to, and then one version after the other. They are not
/// mixed: whichever goes wrong is known, and can be taken back by itself.
public final class Rolls {
    public static final String WHOLE_TEMPLATE = "pod template";

    private final EtcdClusterSpec spec;
    private final ClusterState state;
    private final Journal journal;
    private final Transports transports;
    private final Takeover takeover;
    private final Gates gates;
    private final List<Finding> findings = new ArrayList<>();

    /// What the members are configured with at the end of what was asked for so far.
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

    /// What stands in the way of what the spec asks for.
    public List<Finding> findings() {
        return List.copyOf(findings);
    }

    /// A change of template or options for a ring of `size` where nothing is under way.
    public Optional<Operation> configuration(int size) {
        var changed = changedParts();
        if (changed.isEmpty() || otherVersion().isPresent()) {
            return Optional.empty();
        }
        var tooSmall = SmallQuota.of(state, at);
        if (tooSmall.isPresent()) {
            findings.add(new Finding(Level.ERROR, "quota-below-data", tooSmall.get()));
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

    /// From the way that a ring of `size` is talked to, to the one that is wanted.
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

    /// From the CAs that the members of a ring of `size` trust in, to those that are wanted.
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

    /// What a member that joins now is started from.
    public Blueprint blueprint() {
        return Blueprint.like(spec, at);
    }

    /// What is to be said of how the ring is talked to once all of it is done.
    public List<Finding> ofTransports() {
        return transports.findings(refused ? journal.applied() : at, refused);
    }

    /// The versions from the one that runs to the one that is wanted, for a ring that then has `size`
    /// members.
    public List<Operation> versions(int size) {
        var operations = new ArrayList<Operation>();
        // The members would get with the version what they did not come up with.
        for (var hop : refused ? List.<EtcdVersion>of() : hops()) {
            var next = at.with(hop, spec.server().imageOf(hop));
            var divided = Transports.divided(next);
            if (divided.isPresent()) {
                findings.add(divided.get());
                break;
            }
            var upgrade = allowed(upgrade(to(next, size)));
            if (upgrade.isEmpty()) {
                break;
            }
            operations.add(upgrade.get());
            at = next;
        }
        return operations;
    }

    /// The roll that was begun, as it goes on: `from` is the lowest ordinal that was told to restart
    /// already.
    public Operation underWay(Intent.Roll roll, int size, int from) {
        var former = journal.applied();
        var rest = roll(size, from, former, roll.target());
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
                : upgrade(rest);
    }

    /// Whether the spec still asks for the roll that was begun. An upgrade goes on whatever else has
    /// changed meanwhile, as long as it is on the way, and so does a change of TLS: that is done after
    /// it.
    public boolean stillWanted(Intent.Roll roll) {
        var has = journal.applied();
        if (!roll.target().transport().equals(has.transport())) {
            return has.transport()
                    .towards(transports.feasible(has))
                    .equals(roll.target().transport());
        }
        // Whatever the spec says by now: half a ring that trusts in a CA is no place to stay.
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

    private Operation upgrade(Roll roll) {
        return new UpgradeVersion(spec.ref(), roll, rollout().attempt());
    }

    /// Whether the ring has learners at the end of these, although it has none now.
    public static boolean leadToLearners(List<Operation> upgrades) {
        return !upgrades.isEmpty()
                && upgrades.getLast() instanceof UpgradeVersion last
                && last.roll().target().version().hasLearners();
    }

    private List<EtcdVersion> hops() {
        var foreign = otherVersion();
        if (foreign.isPresent()) {
            boolean wanted = !spec.server().version().equals(journal.applied().version());
            findings.add(new Finding(wanted ? Level.ERROR : Level.WARNING, "version-differs", foreign.get()));
            return List.of();
        }
        return switch (VersionCatalog.path(
                journal.applied().version(), spec.server().version(), rollout().via())) {
            case VersionCatalog.Path.Hops(var versions) -> versions;
            case VersionCatalog.Path.None(String reason) -> {
                findings.add(new Finding(Level.ERROR, "no-way-to-version", reason));
                yield List.of();
            }
        };
    }

    /// What the path begins at must be what runs, or it leads elsewhere.
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

    /// What was taken back once is not begun again as it was.
    private Optional<Operation> allowed(Operation operation) {
        var before = journal.past().backedOut().filter(b -> b.operationId().equals(operation.id()));
        before.ifPresent(b -> findings.add(new Finding(
                Level.ERROR,
                operation.features().isEmpty() ? "taken-back" : Gates.TAKEN_BACK,
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
                .statefulSet()
                .optional()
                .flatMap(s -> s)
                .map(KubeState.StatefulSetState::templateDigest)
                .orElse("");
    }

    /// The names of the template's parts that are others now. One that somebody else has made has no
    /// parts that could be named.
    private List<String> changedParts() {
        if (TemplateParts.parse(template()).foreign()) {
            return List.of(WHOLE_TEMPLATE);
        }
        return TemplateParts.parse(state.templateWanted()).differing(TemplateParts.parse(template()));
    }
}
