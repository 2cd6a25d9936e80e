package io.github.etcdgitops.cli.console;

import java.util.List;

/// Output formats of some commands, besides the common ones.
public enum MoreFormats {
    /// For a command that shows rings.
    PAGE,
    /// For a command that checks documents or plans.
    CHECKS;

    List<String> formats() {
        return switch (this) {
            case PAGE -> List.of("html");
            case CHECKS -> List.of("junit", "sarif", "github");
        };
    }
}
