package io.github.etcdgitops.cli.console;

/// Whether progress is reported as lines for people, as JSON lines, or not at all.
public record ProgressForm(boolean quiet, boolean json) {}
