package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.spec.release.Advisory;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A ring that advisories hit by its document, and the release of the same minor version that the document
/// should ask for. `ends` are the advisories that the release ends, `stay` the others. Without a release,
/// `obstacle` says why.
public record Patch(
        EtcdClusterSpec ring,
        Optional<EtcdVersion> release,
        List<Advisory> ends,
        List<Advisory> stay,
        String obstacle) {
    /// Empty where no advisory hits the ring.
    public static Optional<Patch> of(EtcdClusterSpec ring) {
        var version = ring.server().version();
        var hitting = ring.catalog().advisories(version, Exposure.of(ring));
        if (hitting.isEmpty()) {
            return Optional.empty();
        }
        var release = ring.catalog().patch(version, hitting);
        if (release.isEmpty()) {
            return Optional.of(
                    without(
                            ring,
                            hitting,
                            "etcd " + version.minorName()
                                    + " has no release that ends them. `etcd-gitops upgrade check` shows the way to a later one"));
        }
        if (ring.server().image().digest().isPresent()) {
            return Optional.of(without(
                    ring,
                    hitting,
                    "/spec/image/digest pins " + version + ". Set version and digest together, for " + release.get()));
        }
        var stay = hitting.stream().filter(a -> a.isIn(release.get())).toList();
        return Optional.of(new Patch(
                ring, release, hitting.stream().filter(a -> !stay.contains(a)).toList(), stay, ""));
    }

    private static Patch without(EtcdClusterSpec ring, List<Advisory> hitting, String obstacle) {
        return new Patch(ring, Optional.empty(), List.of(), hitting, obstacle);
    }

    /// The same where the version in the document cannot be replaced.
    public Patch byHand() {
        var at = ring.declaration().source();
        return without(
                ring,
                Stream.concat(ends.stream(), stay.stream()).toList(),
                "write /spec/version in " + at.file() + " on one line, as \""
                        + ring.server().version() + "\". Then it can be replaced");
    }
}
