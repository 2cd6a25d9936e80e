package io.github.etcdgitops.sandbox.etcd;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;

/// A place on the network that versions of etcd can be fetched from.
public interface Source {
    /// As errors and progress call it.
    String name();

    /// The versions that can be told without trying each.
    Set<String> offers(Consumer<String> progress) throws IOException, InterruptedException;

    /// Puts `etcd`, `etcdctl` and, where there is one, `etcdutl` into the folder `into`. An exception says
    /// why not.
    void fetch(String version, Path into, Consumer<String> progress) throws IOException, InterruptedException;
}
