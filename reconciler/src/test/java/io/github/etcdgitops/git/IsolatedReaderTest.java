package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.repository.IsolatedReader;
import java.nio.file.Path;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IsolatedReaderTest {
    @TempDir
    Path folder;

    @Test
    void readsNoConfigurationButTheRepositorysOwn() throws Exception {
        IsolatedReader.install();
        IsolatedReader.install();

        SystemReader reader = SystemReader.getInstance();
        assertThat(reader).isInstanceOf(IsolatedReader.class);
        assertThat(reader.getUserConfig().getSections()).containsOnly("gc", "receive", "uploadpack");
        assertThat(reader.getSystemConfig().getSections()).containsOnly("gc", "receive", "uploadpack");
        assertThat(reader.openJGitConfig(null, FS.DETECTED).getFile()).doesNotExist();
        try (var repository = new FileRepositoryBuilder()
                .setGitDir(folder.resolve("x.git").toFile())
                .setBare()
                .build()) {
            repository.create(true);
            assertThat(repository.getConfig().getSections()).doesNotContain("user", "url", "http", "commit");
        }
    }

    @Test
    void seesNoVariablesOfGit() {
        IsolatedReader.install();

        assertThat(SystemReader.getInstance().getenv("GIT_DIR")).isNull();
        assertThat(SystemReader.getInstance().getenv("PATH")).isNotNull();
    }
}
