package io.github.etcdgitops;

import io.github.etcdgitops.cli.Cli;

/// Where the process begins and ends.
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(Cli.run(args, System.getenv(), System.out, System.err));
    }
}
