package io.github.etcdgitops.state.journal;

/// What is needed to continue the operation that a journal says is under way.
public sealed interface IntentMatter
        permits Intent.Roll, Intent.Recreation, Intent.Replacement, RetainedRing, SnapshotOrigin {}
