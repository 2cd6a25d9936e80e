package io.github.etcdgitops.pipeline.environment;

import io.github.etcdgitops.gateway.Watermarks.Subject;
import io.github.etcdgitops.git.GitRepository;
import java.util.Optional;

/// The branch that runs follow, as their operator names it. Runs store their memory under these names only:
/// otherwise a commit that renames its environment would be the first one of it, and everything would be
/// allowed.
public record Branch(Optional<String> environment, String ref) {
    public Subject in(GitRepository repository) {
        return new Subject(
                environment.orElse(Environments.DEFAULT), repository.address().key(), ref);
    }
}
