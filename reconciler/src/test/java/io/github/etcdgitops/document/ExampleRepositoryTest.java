package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.PolicySelection;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ExampleRepositoryTest {
    @Test
    void isValid() {
        var state = SpecLoader.load(LocalTree.repository(Path.of("../example-repo")));

        assertThat(state.violations()).isEmpty();
        assertThat(state.protection().policies()).extracting(BackupPolicy::name).containsExactly("nightly");
        assertThat(state.rings().values())
                .as("no ring is backed up by accident")
                .allMatch(ring ->
                        PolicySelection.of(ring, state.protection().policies()).isEmpty());
        assertThat(state.rings()).containsOnlyKeys(new ClusterRef("demo", "orders"));
        assertThat(state.rings().values().iterator().next().declaration().environment())
                .contains("example");
        assertThat(state.rings().values().iterator().next().declaration().notYet())
                .isEmpty();
    }
}
