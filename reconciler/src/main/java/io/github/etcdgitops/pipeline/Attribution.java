package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.document.kind.PassageReading;
import io.github.etcdgitops.git.Authors;
import io.github.etcdgitops.git.GitRepository;
import io.github.etcdgitops.git.history.Reading;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.policy.ChangeAuthors;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.Authorship;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Passage;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Finds in the repository's history who gave approvals, and who wrote what they are about. Where no
/// approval counts for the environment, it reads and fetches nothing.
public record Attribution(GitRepository repository, String commit) {
    public DesiredState of(DesiredState desired, String environment, Instant now) {
        Set<ClusterRef> own = Environments.rings(desired, environment).stream()
                .map(ring -> ring.ref())
                .collect(Collectors.toUnmodifiableSet());
        var passages = new HashMap<Passage, Reading>();
        for (Approval approval : desired.approvals()) {
            // For a ring without a document, the environment is unknown.
            boolean concerns =
                    own.contains(approval.cluster()) || !desired.rings().containsKey(approval.cluster());
            if (concerns && now.isBefore(approval.expires())) {
                add(passages, Passage.of(approval));
                ChangeAuthors.passages(desired, approval.cluster()).forEach(passage -> add(passages, passage));
            }
        }
        return passages.isEmpty() ? desired : desired.by(new Authorship(new Authors(repository).of(commit, passages)));
    }

    private static void add(Map<Passage, Reading> passages, Passage passage) {
        passages.put(passage, new PassageReading(passage));
    }
}
