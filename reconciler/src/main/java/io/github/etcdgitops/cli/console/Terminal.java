package io.github.etcdgitops.cli.console;

import java.util.Map;
import java.util.stream.Stream;

/// Whether a person is watching. `interactive` means that standard error is a terminal.
public record Terminal(boolean interactive, Map<String, String> environment) {
    public Terminal {
        environment = Map.copyOf(environment);
    }

    @SuppressWarnings("SystemConsoleNull") // the API says that there may be none
    public static Terminal of(Map<String, String> environment) {
        var console = System.console();
        return new Terminal(console != null && console.isTerminal(), environment);
    }

    /// Whether only ASCII is safe, because the locale is POSIX or not set.
    public boolean ascii() {
        String locale = Stream.of("LC_ALL", "LC_CTYPE", "LANG")
                .map(name -> environment.getOrDefault(name, ""))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("POSIX");
        return locale.equals("POSIX") || locale.equals("C");
    }

    boolean colours(boolean refused) {
        return interactive
                && !refused
                && environment.getOrDefault("NO_COLOR", "").isEmpty();
    }
}
