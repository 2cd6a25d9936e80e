package io.github.etcdgitops.cli;

import java.util.Map;

/// Whether a person looks on. `interactive` means that standard error is a terminal.
record Terminal(boolean interactive, Map<String, String> environment) {
    Terminal {
        environment = Map.copyOf(environment);
    }

    @SuppressWarnings("SystemConsoleNull") // the API says that there may be none
    static Terminal of(Map<String, String> environment) {
        var console = System.console();
        return new Terminal(console != null && console.isTerminal(), environment);
    }

    boolean colours(boolean refused) {
        return interactive
                && !refused
                && environment.getOrDefault("NO_COLOR", "").isEmpty();
    }
}
