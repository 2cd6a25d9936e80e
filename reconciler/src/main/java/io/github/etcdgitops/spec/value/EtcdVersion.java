package io.github.etcdgitops.spec.value;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/// A released etcd version. Pre-releases are not accepted: they give no guarantees.
public record EtcdVersion(int major, int minor, int patch) implements Comparable<EtcdVersion> {
    private static final Pattern FORM = Pattern.compile("v?(0|[1-9]\\d{0,3})\\.(0|[1-9]\\d{0,3})\\.(0|[1-9]\\d{0,3})");
    private static final Comparator<EtcdVersion> ORDER = Comparator.comparingInt(EtcdVersion::major)
            .thenComparingInt(EtcdVersion::minor)
            .thenComparingInt(EtcdVersion::patch);

    public static Optional<EtcdVersion> parse(String text) {
        var match = FORM.matcher(text);
        return match.matches()
                ? Optional.of(new EtcdVersion(
                        Integer.parseInt(match.group(1)),
                        Integer.parseInt(match.group(2)),
                        Integer.parseInt(match.group(3))))
                : Optional.empty();
    }

    public boolean atLeast(int otherMajor, int otherMinor, int otherPatch) {
        return compareTo(new EtcdVersion(otherMajor, otherMinor, otherPatch)) >= 0;
    }

    /// Whether it is of an earlier minor version, whatever the patches.
    public boolean isOlderMinorThan(EtcdVersion other) {
        return major < other.major || (major == other.major && minor < other.minor);
    }

    public boolean isSameMinorAs(EtcdVersion other) {
        return major == other.major && minor == other.minor;
    }

    /// The minor version, as its release with patch 0.
    public EtcdVersion line() {
        return new EtcdVersion(major, minor, 0);
    }

    /// `3.6`.
    public String minorName() {
        return major + "." + minor;
    }

    /// Whether a ring of this version can be downgraded by one minor version.
    public boolean hasDowngrade() {
        return atLeast(3, 6, 0);
    }

    /// Servers before 3.4 ignore the learner flag of a member add and add a voter instead.
    public boolean hasLearners() {
        return atLeast(3, 4, 0);
    }

    /// Whether one port serves clients in plain text and over TLS. Earlier servers do so by chance,
    /// differently at each start (etcd's pull requests 15517 and 15518; tested with 3.3.25 and 3.4.23).
    public boolean servesClientsBothWays() {
        return minor == 4 ? atLeast(3, 4, 25) : atLeast(3, 5, 8);
    }

    /// Whether `/livez` and `/readyz` exist; earlier versions only have `/health`, which fails without
    /// quorum.
    public boolean hasLivez() {
        return (major == 3 && minor == 4) ? patch >= 29 : atLeast(3, 5, 11);
    }

    /// Whether restoring a snapshot can raise its revision and mark everything before as compacted.
    public boolean hasRevisionBump() {
        return (major == 3 && minor == 4) ? patch >= 27 : atLeast(3, 5, 10);
    }

    /// From 3.5 on a separate tool restores snapshots; before that, the client does.
    public boolean hasEtcdutl() {
        return atLeast(3, 5, 0);
    }

    /// Whether restoring a snapshot looks up the names in the peer URLs and fails where one is unknown. Later
    /// versions compare the URLs as text first (tested with 3.3.25 and 3.4.23).
    public boolean restoreLooksUpPeers() {
        return !atLeast(3, 4, 0);
    }

    @Override
    public int compareTo(EtcdVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
