package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.plan.Clearance;
import io.github.etcdgitops.spec.DesiredState;
import java.util.Optional;

/// Whether a ring that seems to have no document may have one all the same.
final class Unread {
    private Unread() {}

    /// What a run of that environment knows besides a ring without a document.
    static Clearance clearance(DesiredState desired, String environment) {
        return new Clearance(
                of(desired), files(desired), environment, desired.protection().policies());
    }

    /// The first place where documents of rings stand and something is wrong: what cannot be read may be
    /// the document of any ring.
    static Optional<String> of(DesiredState desired) {
        return desired.violations().stream()
                .filter(v -> !v.at().file().startsWith("approvals/")
                        && !v.at().file().startsWith("policies/")
                        && !v.at().file().startsWith("tombstones/"))
                .findFirst()
                .map(v -> v.at() + " is wrong; mend it first");
    }

    private static Optional<String> files(DesiredState desired) {
        var unread = desired.unread();
        String others = unread.size() > 1 ? ", or one of " + (unread.size() - 1) + " more places," : "";
        return unread.stream().findFirst().map(at -> at + others);
    }
}
