package io.github.etcdgitops.spec.value;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The known etcd releases, as data: which minor versions exist, from which patch one may be left, and
/// which releases must not run. Sources: etcd's upgrade guides and the issues named here.
public final class VersionCatalog {
    /// A minor version. `stopOver` is the release at which a ring pauses that passes through it, unless its
    /// spec names another; `leaveFrom` is the lowest one from which the next minor version may be entered.
    private record Line(int minor, EtcdVersion stopOver, Optional<EtcdVersion> leaveFrom) {}

    /// Releases `first` to `last`, both included.
    private record Ban(EtcdVersion first, EtcdVersion last, String reason, String remedy) {}

    private static final List<Line> LINES = List.of(
            new Line(3, v(3, 3, 27), Optional.empty()),
            new Line(4, v(3, 4, 37), Optional.empty()),
            // After an upgrade from an earlier patch, a removed member can come back as a voter: etcd issue
            // 20793.
            new Line(5, v(3, 5, 26), Optional.of(v(3, 5, 26))),
            new Line(6, v(3, 6, 11), Optional.of(v(3, 6, 11))));

    private static final List<Ban> BANS = List.of(new Ban(
            v(3, 5, 0),
            v(3, 5, 2),
            "etcd 3.5.0 to 3.5.2 can leave members with different data after a crash (etcd issue 13766)",
            "Choose 3.5.3 or later, preferably the newest release of 3.5."));

    private VersionCatalog() {}

    /// The releases that a ring passes through, including the last one; or why there is no path.
    public sealed interface Path {
        record Hops(List<EtcdVersion> versions) implements Path {
            public Hops {
                versions = List.copyOf(versions);
            }
        }

        record None(String reason) implements Path {}
    }

    /// Why the release must not run, and what to do instead.
    public record Banned(String reason, String remedy) {}

    public static boolean knows(EtcdVersion version) {
        return version.major() == 3 && LINES.stream().anyMatch(line -> line.minor() == version.minor());
    }

    public static Optional<Banned> ban(EtcdVersion version) {
        return BANS.stream()
                .filter(ban -> ban.first().compareTo(version) <= 0 && version.compareTo(ban.last()) <= 0)
                .findFirst()
                .map(ban -> new Banned(ban.reason(), ban.remedy()));
    }

    /// The path from the running version to the wanted one, one minor version at a time. `via` are the
    /// spec's stops; those outside the path are ignored. Another patch of the same minor version is one
    /// hop, in either direction: etcd's data is the same within a minor version.
    public static Path path(EtcdVersion from, EtcdVersion to, List<EtcdVersion> via) {
        return to.isOlderMinorThan(from)
                ? downwards(from, to, via)
                : unlessBanned(from.equals(to) ? List.of() : upwards(from, to, between(from, to, via)));
    }

    private static Path unlessBanned(List<EtcdVersion> hops) {
        return hops.stream()
                .flatMap(hop -> ban(hop).stream())
                .findFirst()
                .<Path>map(banned -> new Path.None(banned.reason() + ". " + banned.remedy()))
                .orElseGet(() -> new Path.Hops(hops));
    }

    /// The path to an earlier minor version: from 3.6 on and not below 3.5, one at a time. In between it stops
    /// at the newest release that the spec names of each, or at its own stop.
    private static Path downwards(EtcdVersion from, EtcdVersion to, List<EtcdVersion> via) {
        if (from.major() != to.major() || !from.hasDowngrade() || !to.atLeast(3, 5, 0)) {
            return new Path.None(noDowngrade(from, to));
        }
        var hops = new ArrayList<EtcdVersion>();
        for (int minor = from.minor() - 1; minor > to.minor(); minor--) {
            var stop = stop(minor, via);
            if (stop.isEmpty()) {
                return new Path.None("no release of etcd " + from.major() + "." + minor
                        + " is known to stop at on the way to " + to + ". Name one in spec.rollout.via");
            }
            hops.add(stop.get());
        }
        hops.add(to);
        return unlessBanned(hops);
    }

    private static Optional<EtcdVersion> stop(int minor, List<EtcdVersion> via) {
        return via.stream()
                .filter(named -> named.minor() == minor)
                .max(Comparator.naturalOrder())
                .or(() -> LINES.stream()
                        .filter(line -> line.minor() == minor)
                        .map(Line::stopOver)
                        .findFirst());
    }

    /// For each minor version: the named stops, or its own stop where none was named; and before it is
    /// left, a release from which that is allowed.
    private static List<EtcdVersion> upwards(EtcdVersion from, EtcdVersion to, List<EtcdVersion> stops) {
        var hops = new ArrayList<EtcdVersion>();
        for (var line : LINES) {
            if (line.minor() < from.minor() || line.minor() > to.minor()) {
                continue;
            }
            var named = stops.stream().filter(v -> v.minor() == line.minor()).toList();
            hops.addAll(named);
            if (line.minor() == to.minor()) {
                hops.add(to);
                continue;
            }
            if (named.isEmpty() && line.minor() != from.minor()) {
                hops.add(line.stopOver());
            }
            var at = hops.isEmpty() ? from : hops.getLast();
            if (line.leaveFrom().filter(least -> at.compareTo(least) < 0).isPresent()) {
                hops.add(line.stopOver());
            }
        }
        return hops;
    }

    private static List<EtcdVersion> between(EtcdVersion from, EtcdVersion to, List<EtcdVersion> via) {
        return via.stream()
                .filter(v -> from.compareTo(v) < 0 && v.compareTo(to) < 0)
                .distinct()
                .sorted(Comparator.naturalOrder())
                .toList();
    }

    private static String noDowngrade(EtcdVersion from, EtcdVersion to) {
        String way = "Set the version to " + from + " again; or create a new ring on " + to
                + " from a backup that was taken on it";
        if (from.major() != to.major() || !from.hasDowngrade()) {
            return "the ring runs etcd " + from + ", and its data cannot be read by " + to
                    + ": before 3.6, etcd cannot be downgraded to an earlier minor version. " + way;
        }
        return "the ring runs etcd " + from + ", and " + to + " is asked for: etcd can be downgraded to 3.5 and not"
                + " further, because no server of 3.5 prepares its data for an earlier version. " + way;
    }

    private static EtcdVersion v(int major, int minor, int patch) {
        return new EtcdVersion(major, minor, patch);
    }
}
