package io.github.etcdgitops.state.journal;

/// What it takes to carry on what a journal says is under way.
public sealed interface IntentMatter
        permits Intent.Roll, Intent.Recreation, Intent.Replacement, RetainedRing, SnapshotOrigin {}
