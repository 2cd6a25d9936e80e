package io.github.etcdgitops.pipeline.environment;

import io.github.etcdgitops.gateway.Watermarks.Subject;
import io.github.etcdgitops.git.GitRepository;
import java.util.Optional;

/// What runs follow, as their operator names it. What they remember is kept under these names alone: a commit that
/// renames its environment would be the first one of it otherwise, and everything would be allowed.
public record Branch(Optional<String> environment, String ref) {
    public Subject in(GitRepository repository) {
        return new Subject(
                environment.orElse(Environments.DEFAULT), repository.address().key(), ref);
    }
}
