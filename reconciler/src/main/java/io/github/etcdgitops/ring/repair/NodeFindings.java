package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.KubeState.PodState;
import io.github.etcdgitops.state.journal.RestartAttempts.Missed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Which nodes of the ring's members are gone or unreachable, and what comes next. A drain or a cordon is
/// neither: the node stays ready.
public record NodeFindings(EtcdClusterSpec spec, ClusterState state) {
    public List<Finding> all() {
        var ordinals = new TreeSet<>(pods().keySet());
        ordinals.addAll(claims().keySet());
        var findings = new ArrayList<Finding>();
        ordinals.forEach(ordinal -> finding(ordinal).ifPresent(findings::add));
        unknown(ordinals).ifPresent(findings::add);
        return findings;
    }

    private Optional<Finding> finding(int ordinal) {
        return home(ordinal)
                .filter(Host::gone)
                .map(home -> warning(FindingCode.MACHINE_GONE, volumeGone(ordinal, home)))
                .or(() -> host(ordinal)
                        .filter(Host::gone)
                        .map(host -> warning(FindingCode.MACHINE_GONE, podGone(ordinal, host))))
                .or(() -> host(ordinal)
                        .flatMap(host -> host.silentSince().map(since -> silent(ordinal, host, since)))
                        .map(said -> warning(FindingCode.MACHINE_SILENT, said)))
                .or(() -> home(ordinal)
                        .flatMap(home -> home.silentSince().map(since -> volumeSilent(ordinal, home, since)))
                        .map(said -> warning(FindingCode.MACHINE_SILENT, said)));
    }

    private String volumeGone(int ordinal, Host home) {
        return "the node " + home.name() + ", the only one with the volume of " + name(ordinal)
                + ", is gone"
                + seen(ordinal)
                        .map(since -> " (a run first saw that at " + since + ")")
                        .orElse("")
                + ": Kubernetes has no such Node. " + name(ordinal)
                + " can start nowhere else. If the node comes back, the member starts with its data" + next(ordinal);
    }

    private String next(int ordinal) {
        var repairs = spec.declaration().handling().repairs();
        if (spec.size() == 1) {
            return ". If the node is gone for good, restore the ring from a backup";
        }
        if (repairs.volumes() == Repairs.Mode.OFF) {
            return ". If the node is gone for good, write a VolumeReset";
        }
        return seen(ordinal)
                .map(since -> ". From " + since.plus(repairs.machineGoneAfter()) + " the volume counts as lost")
                .orElse(". The next run records the time");
    }

    private Optional<Instant> seen(int ordinal) {
        return new MissedMachines(state, spec.size(), Duration.ZERO)
                .since(ordinal)
                .map(Missed::since);
    }

    private String podGone(int ordinal, Host host) {
        return "the node " + host.name() + " of " + name(ordinal)
                + " is gone: Kubernetes has no such Node. Kubernetes deletes the pod and creates another one";
    }

    private String silent(int ordinal, Host host, Instant since) {
        return "the node " + host.name() + " of " + name(ordinal) + " has not reported since " + since
                + " (its Node is not ready). Its containers may still run."
                + leaving(ordinal)
                        .map(when -> " The pod's deletion was due at " + when + " and is not confirmed. Kubernetes"
                                + " creates no other pod before that.")
                        .orElse("")
                + " If the node is switched off for good, delete its Node";
    }

    private String volumeSilent(int ordinal, Host home, Instant since) {
        return "the node " + home.name() + ", the only one with the volume of " + name(ordinal)
                + ", has not reported since " + since + " (its Node is not ready). " + name(ordinal)
                + " can start nowhere else. If the node is switched off for good, delete its Node";
    }

    /// One finding is enough: an account that may not read one node may read none.
    private Optional<Finding> unknown(TreeSet<Integer> ordinals) {
        return ordinals.stream()
                .flatMap(ordinal -> Stream.concat(host(ordinal).stream(), home(ordinal).stream())
                        .flatMap(h -> h.machine().unknownReason().stream())
                        .map(why -> new Finding(
                                Level.NOTE,
                                FindingCode.MACHINE_UNKNOWN,
                                "the state of the node of " + name(ordinal) + " is unknown: " + why)))
                .findFirst();
    }

    private static Finding warning(FindingCode code, String said) {
        return new Finding(Level.WARNING, code, said);
    }

    private String name(int ordinal) {
        return state.ref().podName(ordinal);
    }

    private Optional<Instant> leaving(int ordinal) {
        return Optional.ofNullable(pods().get(ordinal))
                .flatMap(pod -> pod.life().whereabouts().leaving());
    }

    private Optional<Host> host(int ordinal) {
        return Optional.ofNullable(pods().get(ordinal))
                .flatMap(pod -> pod.life().whereabouts().host());
    }

    /// The retained volume of a removed member blocks nothing.
    private Optional<Host> home(int ordinal) {
        return Optional.ofNullable(claims().get(ordinal))
                .filter(claim -> !claim.released())
                .flatMap(claim -> claim.volume().home());
    }

    private SortedMap<Integer, PodState> pods() {
        return state.kube().pods().optional().orElseGet(TreeMap::new);
    }

    private SortedMap<Integer, ClaimState> claims() {
        return state.kube().claims().optional().orElseGet(TreeMap::new);
    }
}
