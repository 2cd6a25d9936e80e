package io.github.etcdgitops.report.page;

import io.github.etcdgitops.plan.Verdict;

/// What the rules say, in words.
final class Verdicts {
    private Verdicts() {}

    static String words(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Allow _ -> "allowed";
            case Verdict.Warn(String rule, String reason) -> "allowed, with a warning (" + rule + "): " + reason;
            case Verdict.Hold(String rule, String reason) -> "held (" + rule + "): " + reason;
            case Verdict.Deny(String rule, String reason) -> "denied (" + rule + "): " + reason;
        };
    }

    /// The class that colours it.
    static String style(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Allow _ -> "in_sync";
            case Verdict.Warn _ -> "changes";
            case Verdict.Hold _, Verdict.Deny _ -> "held";
        };
    }
}
