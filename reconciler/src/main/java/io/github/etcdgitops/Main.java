package io.github.etcdgitops;

import io.github.etcdgitops.cli.Cli;
import io.github.etcdgitops.cli.console.Version;

/// The entry point of the process.
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        var out = Cli.inert(System.out);
        var err = Cli.inert(System.err);
        // Libraries log there, and uncaught exceptions are printed there.
        System.setErr(err);
        if (Version.alone(args, System.getenv())) {
            // Without an exit, which would look for a logger in every library.
            Version.print(out);
            return;
        }
        System.exit(Cli.run(args, System.getenv(), out, err));
    }
}
