package io.github.etcdgitops.sandbox.image;

import java.nio.file.Path;
import java.util.List;

/// Folders of this machine with their places in a container, and what is run where a container names no
/// command.
public record Image(List<Layer> layers, List<String> entrypoint) {
    public record Layer(Path source, String path) {}

    public Image {
        layers = List.copyOf(layers);
        entrypoint = List.copyOf(entrypoint);
    }
}
