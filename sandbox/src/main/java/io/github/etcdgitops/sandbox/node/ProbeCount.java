package io.github.etcdgitops.sandbox.node;

import java.time.Duration;

/// Answers in a row. A value: each answer gives the next one.
///
/// An impatient prober asks more often than the probe's period says. Good answers all count then, and bad
/// ones only once in a period, or a slow start would be taken for a failed one.
record ProbeCount(int successes, int failures, long lastFailure) {
    static final ProbeCount NONE = new ProbeCount(0, 0, 0);

    ProbeCount after(boolean success, Duration period, long nanos) {
        if (success) {
            return new ProbeCount(successes + 1, 0, 0);
        }
        boolean counts = failures == 0 || nanos - lastFailure >= period.toNanos();
        return counts ? new ProbeCount(0, failures + 1, nanos) : new ProbeCount(0, failures, lastFailure);
    }

    boolean passed(Probe probe) {
        return successes >= probe.successes();
    }

    boolean failed(Probe probe) {
        return failures >= probe.failures();
    }
}
