package io.github.etcdgitops.spec.value;

import java.util.List;
import java.util.stream.Stream;

/// Where images may come from: whole names of repositories, and with a slash at the end all repositories
/// below one. Names are compared as written, so another port or another spelling of a registry is another
/// one.
public record ImageRepositories(List<String> allowed) {
    /// Where the etcd project publishes its releases.
    public static final List<String> OFFICIAL = List.of("gcr.io/etcd-development/", "quay.io/coreos/");

    public ImageRepositories {
        allowed = List.copyOf(allowed);
    }

    /// The official ones, and those of the Fleet.
    public static ImageRepositories beside(List<String> more) {
        return new ImageRepositories(
                Stream.concat(OFFICIAL.stream(), more.stream()).toList());
    }

    public boolean contain(String repository) {
        return allowed.stream()
                .anyMatch(entry -> entry.endsWith("/") ? repository.startsWith(entry) : repository.equals(entry));
    }

    @Override
    public String toString() {
        return String.join(", ", allowed);
    }
}
