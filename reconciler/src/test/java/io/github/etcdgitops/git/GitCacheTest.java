package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.tree.SourceTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GitCacheTest extends WithOrigin {
    @Test
    void fetchesNothingTwice() throws IOException {
        commit("refs/heads/main", "1");
        try (var git = open()) {
            git.read(git.resolve("main"));
        }
        List<Path> packs = packs();

        try (var git = open()) {
            git.read(git.resolve("main"));
        }

        assertThat(packs()).hasSize(1).isEqualTo(packs);
    }

    @Test
    void givesASecondOwnerAFolderOfItsOwnThatGoesAway() throws IOException {
        commit("refs/heads/main", "1");
        Path shared;
        try (var first = open();
                var second = open()) {
            assertThat(text(first.read(first.resolve("main")))).isEqualTo("1");
            assertThat(text(second.read(second.resolve("main")))).isEqualTo("1");
            shared = packs().getFirst().getParent();
            assertThat(privateFolders()).hasSize(1);
        }

        assertThat(privateFolders()).isEmpty();
        assertThat(shared).exists();
    }

    @Test
    void removesThePrivateFolderOfARunThatWasKilled() throws IOException {
        commit("refs/heads/main", "1");
        try (var git = open()) {
            git.resolve("main");
        }
        Path abandoned = cacheOfOrigin().resolve("private-1");
        Files.createDirectories(abandoned.resolve("repository.git"));
        Files.createFile(abandoned.resolve("lock"));

        open().close();

        assertThat(abandoned).doesNotExist();
    }

    @Test
    void refusesACacheThatOthersCanWriteTo() throws IOException {
        open().close();
        Files.setPosixFilePermissions(cacheOfOrigin(), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertFails(Kind.CACHE, () -> open().close());
    }

    @Test
    void saysThatTheCacheCannotBeMade() throws IOException {
        cache = Files.createFile(folder.resolve("a-file"));

        assertFails(Kind.CACHE, () -> open().close());
    }

    @ParameterizedTest
    @ValueSource(strings = {"truncate", "zero-middle", "delete-pack", "delete-index", "junk-index", "junk-config"})
    void discardsDamagedCacheAndFetchesAgain(String damage) throws IOException {
        for (int i = 0; i < 50; i++) {
            commit("refs/heads/main", ("line " + i + "\n").repeat(i + 1));
        }
        String commit = commit("refs/heads/main", "good");
        try (var git = open()) {
            git.read(git.resolve("main"));
        }
        damage(damage);

        try (var git = open()) {
            assertThat(git.resolve("main")).isEqualTo(commit);
            assertThat(text(git.read(commit))).isEqualTo("good");
        }
    }

    @Test
    void throwsADamagedCacheAwayWhenTheBranchHasMovedOn() throws IOException {
        commit("refs/heads/main", "old");
        try (var git = open()) {
            git.read(git.resolve("main"));
        }
        damage("zero-middle");
        String commit = commit("refs/heads/main", "new");

        try (var git = open()) {
            assertThat(git.resolve("main")).isEqualTo(commit);
            assertThat(text(git.read(commit))).isEqualTo("new");
        }
    }

    @Test
    void recoversWhenTheCacheIsDamagedBetweenResolveAndRead() throws IOException {
        commit("refs/heads/main", "1");
        String pull = commit("refs/pull/1/head", "2");

        try (var git = open()) {
            git.resolve("refs/pull/1/head");
            damage("delete-pack");
            damage("delete-index");

            assertThat(text(git.read(pull))).isEqualTo("2");
        }
    }

    @Test
    void saysThatTheRepositoryItselfIsDamaged() throws IOException {
        String commit = commit("refs/heads/main", "1");
        Path objects = origin.path.resolve("objects");
        Path file = objects.resolve(commit.substring(0, 2)).resolve(commit.substring(2));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.write(file, new byte[10]);

        try (var git = open()) {
            assertThatExceptionOfType(GitException.class).isThrownBy(() -> git.resolve("main"));
        }
    }

    private void damage(String how) throws IOException {
        for (Path pack : packs()) {
            Path index = pack.resolveSibling(pack.getFileName().toString().replace(".pack", ".idx"));
            pack.toFile().setWritable(true);
            index.toFile().setWritable(true);
            switch (how) {
                case "truncate" -> resize(pack, Files.size(pack) / 2);
                case "zero-middle" -> {
                    try (var channel = FileChannel.open(pack, StandardOpenOption.WRITE)) {
                        channel.write(ByteBuffer.allocate((int) channel.size() - 40), 20);
                    }
                }
                case "delete-pack" -> Files.delete(pack);
                case "delete-index" -> Files.delete(index);
                case "junk-index" -> Files.writeString(index, "junk");
                case "junk-config" ->
                    Files.writeString(pack.resolve("../../../config").normalize(), "[core\n\tjunk");
                default -> throw new IllegalArgumentException(how);
            }
        }
    }

    private static void resize(Path file, long size) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }

    private Path cacheOfOrigin() throws IOException {
        try (var folders = Files.list(cache)) {
            return folders.findFirst().orElseThrow();
        }
    }

    private List<Path> packs() throws IOException {
        try (var files = Files.list(cacheOfOrigin().resolve("repository.git/objects/pack"))) {
            return files.filter(p -> p.toString().endsWith(".pack")).toList();
        }
    }

    private List<Path> privateFolders() throws IOException {
        try (var files = Files.list(cacheOfOrigin())) {
            return files.filter(p -> p.getFileName().toString().startsWith("private-"))
                    .toList();
        }
    }

    private static String text(SourceTree tree) {
        return new String(tree.documents().get("clusters/a.yaml"), UTF_8);
    }
}
