package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.release.Advisory;
import io.github.etcdgitops.spec.release.Catalog;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.journal.Journal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a ring has that weaknesses of etcd need, and the texts about them.
public final class Exposure {
    private Exposure() {}

    /// What the document asks for.
    public static Set<Advisory.Need> of(EtcdClusterSpec spec) {
        return of(
                spec.server().tls().transport(),
                spec.auth().filter(Auth::enabled).isPresent());
    }

    /// Members are given no list of revoked certificates.
    private static Set<Advisory.Need> of(Transport transport, boolean users) {
        var needs = EnumSet.noneOf(Advisory.Need.class);
        if (transport.secured()) {
            needs.add(Advisory.Need.TLS);
        }
        if (users) {
            needs.add(Advisory.Need.AUTH);
        }
        return needs;
    }

    private static Set<Advisory.Need> of(ClusterState state, Transport transport) {
        return of(
                transport,
                state.kube().knownJournal().filter(Journal::authenticates).isPresent());
    }

    /// The advisories that hit the ring as its journal says that it runs.
    public static List<Advisory> hitting(EtcdClusterSpec spec, ClusterState state) {
        var running = state.kube().appliedOr(spec.server());
        return spec.catalog().advisories(running.version(), of(state, running.transport()));
    }

    /// The advisories that hit the running ring, and what the planned changes of its version end and bring.
    public static Optional<Finding> finding(EtcdClusterSpec spec, ClusterState state, List<Operation> changes) {
        var running = state.kube().appliedOr(spec.server());
        var now = hitting(spec, state);
        var next = changes.stream()
                .flatMap(o -> o instanceof VersionChange change
                        ? Stream.of(change.roll().target().version())
                        : Stream.<EtcdVersion>empty())
                .reduce(running.version(), (_, later) -> later);
        var then = spec.catalog().advisories(next, of(state, running.transport()));
        var texts = new ArrayList<String>();
        if (!now.isEmpty()) {
            texts.add("etcd " + running.version() + " has " + words(now));
        }
        if (!then.containsAll(now)) {
            texts.add("The change to " + next + " ends " + ids(without(now, then)));
        }
        if (!now.containsAll(then)) {
            texts.add("The change to " + next + " brings " + words(without(then, now)));
        }
        if (!then.isEmpty()) {
            texts.add(sentence(remedy(spec.catalog(), next, then)));
        }
        return texts.isEmpty()
                ? Optional.empty()
                : Optional.of(new Finding(Level.NOTE, FindingCode.ADVISORY, String.join(". ", texts)));
    }

    private static List<Advisory> without(List<Advisory> all, List<Advisory> some) {
        return all.stream().filter(a -> !some.contains(a)).toList();
    }

    private static String ids(List<Advisory> advisories) {
        return advisories.stream().map(Advisory::id).collect(Collectors.joining(", "));
    }

    private static String sentence(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    /// The advisories with severity, date and title, as one text.
    public static String words(List<Advisory> advisories) {
        return advisories.stream()
                .map(a -> a.id() + " (" + a.severity().wire() + ", published " + a.published() + ": " + a.title() + ")")
                .collect(Collectors.joining(", "));
    }

    /// What to ask for instead of this version.
    public static String remedy(Catalog catalog, EtcdVersion version, List<Advisory> advisories) {
        return catalog.smallestGood(version, advisories)
                .map(good -> "set /spec/version to " + good + " or later")
                .orElse("no release without it is known yet");
    }
}
