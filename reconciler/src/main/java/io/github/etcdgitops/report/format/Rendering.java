package io.github.etcdgitops.report.format;

import io.github.etcdgitops.inert.Lines;
import java.util.Optional;

/// The forms of one result; each is rendered only on request.
public interface Rendering {
    Lines human(Style style);

    String json();

    String markdown();

    /// A page for a browser; empty where the result is not about rings.
    default Optional<String> html() {
        return Optional.empty();
    }

    /// The result for CI tools; empty where it is not about checks.
    default Optional<Checks> checks() {
        return Optional.empty();
    }

    /// SARIF 2.1.0.
    static String sarif(Checks checks) {
        return Sarif.render(checks);
    }

    /// JUnit's XML.
    static String junit(Checks checks) {
        return JUnit.render(checks);
    }

    /// Annotations of GitHub Actions.
    static String github(Checks checks) {
        return Annotations.render(checks);
    }
}
