package io.github.etcdgitops.sandbox.cli;

import io.github.etcdgitops.sandbox.image.OwnImage;
import java.util.List;
import picocli.CommandLine.Option;

/// How a sandbox is made up.
final class ServeOptions {
    @Option(names = "--nodes", paramLabel = "N", description = "How many machines it has. Default: ${DEFAULT-VALUE}.")
    int nodes = 3;

    @Option(names = "--port", paramLabel = "PORT", description = "Of the API, on 127.0.0.1. Default: any that is free.")
    int port = 0;

    @Option(
            names = "--image",
            paramLabel = "REPOSITORY",
            description =
                    "What images of etcd-gitops are called, from the end: REPOSITORY itself, or anything that ends"
                            + " with /REPOSITORY, with any tag. They run this checkout's build. Default: ${DEFAULT-VALUE}.")
    String image = OwnImage.REPOSITORY;

    List<String> words() {
        return List.of("--nodes", Integer.toString(nodes), "--port", Integer.toString(port), "--image", image);
    }
}
