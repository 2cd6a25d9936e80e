package io.github.etcdgitops.sandbox.cli;

import java.util.List;
import picocli.CommandLine.Option;

/// How a sandbox is made up.
final class ServeOptions {
    @Option(names = "--nodes", paramLabel = "N", description = "How many machines it has. Default: ${DEFAULT-VALUE}.")
    int nodes = 3;

    @Option(names = "--port", paramLabel = "PORT", description = "Of the API, on 127.0.0.1. Default: any that is free.")
    int port = 0;

    List<String> words() {
        return List.of("--nodes", Integer.toString(nodes), "--port", Integer.toString(port));
    }
}
