package io.github.etcdgitops;

import io.github.etcdgitops.cli.Cli;

/// The entry point of the process.
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        var out = Cli.inert(System.out);
        var err = Cli.inert(System.err);
        // Libraries log there, and uncaught exceptions are printed there.
        System.setErr(err);
        System.exit(Cli.run(args, System.getenv(), out, err));
    }
}
