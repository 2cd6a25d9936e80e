package io.github.etcdgitops.cli.console;

/// Whether progress is told in lines for people, in JSON lines, or not at all.
public record ProgressForm(boolean quiet, boolean json) {}
