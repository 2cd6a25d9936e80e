package io.github.etcdgitops.cli.console;

import java.util.List;

/// Output formats that some commands know, besides those that all do.
public enum MoreFormats {
    /// Of a command that shows rings.
    PAGE,
    /// Of one that checks documents or plans.
    CHECKS;

    List<String> formats() {
        return switch (this) {
            case PAGE -> List.of("html");
            case CHECKS -> List.of("junit", "sarif", "github");
        };
    }
}
