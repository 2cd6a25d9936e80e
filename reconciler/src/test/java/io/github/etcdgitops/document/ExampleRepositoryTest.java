package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.ClusterRef;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ExampleRepositoryTest {
    @Test
    void isValid() {
        var state = SpecLoader.load(LocalTree.repository(Path.of("../example-repo")));

        assertThat(state.violations()).isEmpty();
        assertThat(state.rings()).containsOnlyKeys(new ClusterRef("demo", "orders"));
        assertThat(state.rings().values().iterator().next().declaration().environment())
                .contains("example");
        assertThat(state.rings().values().iterator().next().declaration().notYet())
                .isEmpty();
    }
}
