package io.github.etcdgitops.report.page;

import io.github.etcdgitops.report.Words;
import io.github.etcdgitops.ring.Finding;
import java.time.Instant;
import java.util.Optional;

/// A finding in the page's terms. `ring` is empty for a fleet-wide one, `since` where it is unknown.
public record FindingView(String ring, String level, String code, String message, String since) {
    static FindingView of(String ring, Finding finding, Optional<Instant> since) {
        return new FindingView(
                ring,
                finding.level().wire(),
                finding.code(),
                finding.message(),
                since.map(Words::minute).orElse(""));
    }

    /// A note is not a problem.
    static boolean isTrouble(Finding finding) {
        return finding.level() != Finding.Level.NOTE;
    }
}
