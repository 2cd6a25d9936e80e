package io.github.etcdgitops.spec.release;

import io.github.etcdgitops.spec.value.EtcdVersion;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// What is known about the releases of etcd as of `dated`: the built-in catalogue, or a newer one from the config
/// repository, from `file`. `lines` are in ascending order. `replaced` says what later lines have for a setting that
/// they lack.
public record Catalog(
        Optional<String> file,
        LocalDate dated,
        List<Line> lines,
        List<Hazard> hazards,
        List<Advisory> advisories,
        List<Settings> settings,
        Map<String, String> replaced) {
    /// Knows no release. For code that never asks.
    public static final Catalog NONE =
            new Catalog(Optional.empty(), LocalDate.EPOCH, List.of(), List.of(), List.of(), List.of(), Map.of());

    public Catalog {
        lines = lines.stream().sorted(Comparator.comparing(Line::newest)).toList();
        hazards = List.copyOf(hazards);
        advisories = List.copyOf(advisories);
        settings = List.copyOf(settings);
        replaced = Map.copyOf(replaced);
    }

    public boolean knows(EtcdVersion version) {
        return line(version).isPresent();
    }

    public Optional<Line> line(EtcdVersion version) {
        return lines.stream().filter(line -> line.holds(version)).findFirst();
    }

    /// The newest release of a line such as `3.7`, or the release itself where the text names one of a known
    /// line. Empty for anything else.
    public Optional<EtcdVersion> named(String text) {
        return lines.stream()
                .filter(line -> line.toString().equals(text))
                .map(Line::newest)
                .findFirst()
                .or(() -> EtcdVersion.parse(text).filter(this::knows));
    }

    /// The lines for people: `3.3 to 3.7`.
    public String range() {
        return lines.isEmpty() ? "none" : lines.getFirst() + " to " + lines.getLast();
    }

    /// Why a release must not run.
    public Optional<Hazard> ban(EtcdVersion version) {
        return hazards.stream().filter(h -> h.forbidsToRun(version)).findFirst();
    }

    /// The weaknesses of a release that hit a ring with this.
    public List<Advisory> advisories(EtcdVersion version, Set<Advisory.Need> ring) {
        return advisories.stream().filter(a -> a.hits(version, ring)).toList();
    }

    /// The smallest release of the same line, or else of a later one, without these weaknesses and with no ban.
    /// Empty where the catalogue names none.
    public Optional<EtcdVersion> smallestGood(EtcdVersion version, List<Advisory> hitting) {
        return hitting.stream()
                .flatMap(a -> a.fixed().stream())
                .filter(good -> version.compareTo(good) < 0)
                .filter(good -> hitting.stream().noneMatch(a -> a.isIn(good))
                        && ban(good).isEmpty())
                .min(Comparator.naturalOrder());
    }

    /// The smallest release of the same line that ends each of these weaknesses for which the line has a fix. Empty
    /// where it has none.
    public Optional<EtcdVersion> patch(EtcdVersion version, List<Advisory> hitting) {
        return hitting.stream()
                .flatMap(a -> a.fixIn(version).stream())
                .max(Comparator.naturalOrder())
                .filter(good -> version.compareTo(good) < 0 && ban(good).isEmpty());
    }

    /// The path from the running version to the wanted one, one minor version at a time. `via` are the
    /// spec's stops; those outside the path are ignored. Another patch of the same minor version is one
    /// hop, in either direction: etcd's data is the same within a minor version.
    public UpgradePath path(EtcdVersion from, EtcdVersion to, List<EtcdVersion> via) {
        return to.isOlderMinorThan(from)
                ? downwards(from, to, via)
                : unlessBanned(from.equals(to) ? List.of() : upwards(from, to, between(from, to, via)));
    }

    private UpgradePath unlessBanned(List<EtcdVersion> hops) {
        return hops.stream()
                .flatMap(hop -> ban(hop).stream())
                .findFirst()
                .<UpgradePath>map(banned -> new UpgradePath.None(banned.text()))
                .orElseGet(() -> new UpgradePath.Hops(hops));
    }

    /// The path to an earlier minor version: from 3.6 on and not below 3.5, one at a time. In between it stops
    /// at the newest release that the spec names of each, or else of the line.
    private UpgradePath downwards(EtcdVersion from, EtcdVersion to, List<EtcdVersion> via) {
        if (from.major() != to.major() || !from.hasDowngrade() || !to.atLeast(3, 5, 0)) {
            return new UpgradePath.None(noDowngrade(from, to));
        }
        var hops = new ArrayList<EtcdVersion>();
        for (int minor = from.minor() - 1; minor > to.minor(); minor--) {
            var stop = stop(minor, via);
            if (stop.isEmpty()) {
                return new UpgradePath.None("no release of etcd " + from.major() + "." + minor
                        + " is known to stop at on the way to " + to + ". Name one in spec.rollout.via");
            }
            hops.add(stop.get());
        }
        hops.add(to);
        return unlessBanned(hops);
    }

    private Optional<EtcdVersion> stop(int minor, List<EtcdVersion> via) {
        return via.stream()
                .filter(named -> named.minor() == minor)
                .max(Comparator.naturalOrder())
                .or(() -> lines.stream()
                        .filter(line -> line.minor() == minor)
                        .map(Line::newest)
                        .findFirst());
    }

    /// For each line: the named stops, or its newest release where none was named; before them a release at which it
    /// may be entered, and after them one from which it may be left.
    private List<EtcdVersion> upwards(EtcdVersion from, EtcdVersion to, List<EtcdVersion> stops) {
        var hops = new ArrayList<EtcdVersion>();
        for (var line : lines) {
            if (line.minor() < from.minor() || line.minor() > to.minor()) {
                continue;
            }
            var named = stops.stream().filter(line::holds).toList();
            var first = !named.isEmpty() ? named.getFirst() : line.holds(to) ? to : line.newest();
            if (!line.holds(from)) {
                line.enterUpTo().filter(most -> most.compareTo(first) < 0).ifPresent(hops::add);
            }
            hops.addAll(named);
            if (line.holds(to)) {
                hops.add(to);
                continue;
            }
            if (named.isEmpty() && !line.holds(from)) {
                hops.add(line.newest());
            }
            var at = hops.isEmpty() ? from : hops.getLast();
            if (line.leaveFrom().filter(least -> at.compareTo(least) < 0).isPresent()) {
                hops.add(line.newest());
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

    /// Whether a member's file may have this setting.
    public boolean hasSetting(EtcdVersion version, String name) {
        return settings.stream().anyMatch(s -> s.are(name, version.minor()));
    }

    /// Each ring has the same catalogue, so its date is enough for a hash.
    @Override
    public int hashCode() {
        return dated.hashCode();
    }

    /// For people.
    @Override
    public String toString() {
        return "catalogue of " + dated + " ("
                + lines.stream().map(Line::toString).collect(Collectors.joining(", ")) + ")";
    }
}
