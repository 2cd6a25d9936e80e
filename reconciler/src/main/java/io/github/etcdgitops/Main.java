package io.github.etcdgitops;

import io.github.etcdgitops.cli.Cli;

/// Where the process begins and ends.
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        var out = Cli.inert(System.out);
        var err = Cli.inert(System.err);
        // Libraries log there, and an exception that nobody catches is printed there.
        System.setErr(err);
        System.exit(Cli.run(args, System.getenv(), out, err));
    }
}
