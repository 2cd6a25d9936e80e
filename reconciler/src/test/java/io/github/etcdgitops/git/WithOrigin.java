package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A bare repository of its own for each test, and clones' caches beside it.
abstract class WithOrigin {
    @TempDir
    Path folder;

    TestRepository origin;
    Path cache;

    @BeforeEach
    void createOrigin() {
        origin = TestRepository.bare(folder.resolve("origin.git"));
        cache = folder.resolve("cache");
    }

    @AfterEach
    void closeOrigin() {
        origin.close();
    }

    final GitRepository open() {
        return GitRepository.open(origin.address(), GitAccess.none(), cache);
    }

    final GitRepository open(String name) {
        return GitRepository.open(origin.address(), GitAccess.none(), folder.resolve(name));
    }

    final String commit(String ref, String content) {
        return origin.commit(ref, origin.files(Map.of("clusters/a.yaml", content)));
    }

    static void assertFails(Kind kind, Runnable work) {
        assertThatExceptionOfType(GitException.class)
                .isThrownBy(work::run)
                .satisfies(e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
    }
}
