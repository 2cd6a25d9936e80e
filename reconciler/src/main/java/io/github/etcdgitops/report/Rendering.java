package io.github.etcdgitops.report;

/// The three forms of one result; each is made only when asked for.
public interface Rendering {
    String human(Style style);

    String json();

    String markdown();
}
