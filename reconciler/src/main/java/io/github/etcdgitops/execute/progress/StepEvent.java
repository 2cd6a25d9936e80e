package io.github.etcdgitops.execute.progress;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepResult;
import java.time.Duration;
import java.time.Instant;

/// A completed step: its result, when it started and how long it took.
public record StepEvent(
        String operationId, String operationKind, Step step, StepResult result, Instant began, Duration took) {}
