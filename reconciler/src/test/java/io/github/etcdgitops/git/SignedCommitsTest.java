package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.etcdgitops.document.CatalogChoice;
import io.github.etcdgitops.document.kind.BuiltInCatalog;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.signature.AllowedSigners;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignedCommitsTest extends WithOrigin {
    private static final String MAIN = "refs/heads/main";

    /// When every commit here was made: 2023-11-14T22:13:20Z.
    private static final String BEFORE = "20231101Z";

    private static final String AFTER = "20231201Z";

    private SigningKey ann;
    private SigningKey mallory;
    private Path allowed;

    @BeforeEach
    void makeKeys() throws IOException, GeneralSecurityException {
        ann = SigningKey.of(folder.resolve("ann"));
        mallory = SigningKey.of(folder.resolve("mallory"));
        allowed =
                Files.writeString(folder.resolve("allowed"), "ann@example.org namespaces=\"git\" " + ann.line() + "\n");
    }

    private ObjectId tree() {
        return origin.files(Map.of("clusters/a.yaml", "one"));
    }

    private GitRepository checking(Optional<Path> revoked) {
        return GitRepository.open(
                origin.address(), GitAccess.none(), Optional.of(AllowedSigners.read(allowed, revoked, cache)), cache);
    }

    private String resolve() {
        return resolve(Optional.empty());
    }

    private String resolve(Optional<Path> revoked) {
        try (var git = checking(revoked)) {
            String commit = git.resolve("main");
            assertThat(git.read(commit).documents()).hasSize(1);
            return commit;
        }
    }

    private void assertRefused(Kind kind, String... words) {
        assertRefused(Optional.empty(), kind, words);
    }

    private void assertRefused(Optional<Path> revoked, Kind kind, String... words) {
        assertThatExceptionOfType(GitException.class)
                .isThrownBy(() -> resolve(revoked))
                .withMessageContainingAll(words)
                .satisfies(e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
    }

    @Test
    void readsWhatAnAllowedSignerSigned() {
        String commit = origin.commit(MAIN, tree(), ann.signs());

        assertThat(resolve()).isEqualTo(commit);
        assertThat(cache.toFile().list()).as("copies of the keys are gone").noneMatch(n -> n.startsWith("signers-"));
    }

    @ParameterizedTest
    @CsvSource({"ssh-rsa, 3072", "ecdsa-sha2-nistp256, 256", "ecdsa-sha2-nistp521, 521"})
    void readsWhatKeysOfEveryKindInUseSigned(String type, int bits) throws Exception {
        var key = SigningKey.of(type, bits, folder.resolve("other"));
        Files.writeString(allowed, "# who may\n\n* " + key.line() + " a comment\n");
        String commit = origin.commit(MAIN, tree(), key.signs());

        assertThat(resolve()).isEqualTo(commit);
    }

    @Test
    void readsWhatNativeGitSigned() throws Exception {
        assumeThat(Path.of("/usr/bin/ssh-keygen")).exists();
        String tree = tree().name();
        String commit = NativeGit.run(
                        origin.path,
                        "-c",
                        "gpg.format=ssh",
                        "-c",
                        "user.signingkey=" + ann.file(),
                        "commit-tree",
                        "-S",
                        "-m",
                        "signed",
                        tree)
                .strip();
        origin.set(MAIN, ObjectId.fromString(commit));

        assertThat(resolve()).isEqualTo(commit);
    }

    @Test
    void refusesACommitWithoutASignature() {
        String commit = origin.commit(MAIN, tree());

        assertRefused(Kind.UNVERIFIED, "commit " + commit, "is not signed");
    }

    @Test
    void refusesUnknownKeyAndNamesIt() {
        origin.commit(MAIN, tree(), mallory.signs());

        assertRefused(Kind.UNVERIFIED, mallory.fingerprint(), "not a key of the allowed signers");
    }

    @Test
    void refusesCatalogOfStrangerAndKeepsTheBuiltInOne() {
        String good = origin.commit(MAIN, tree(), ann.signs());
        String catalog = """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Catalog
            metadata: {name: etcd}
            spec: {dated: "2099-01-01", lines: [{line: "3.5", newest: "3.5.2"}]}
            """;
        origin.commit(
                MAIN, origin.files(Map.of("clusters/a.yaml", "one", "catalog/etcd.yaml", catalog)), mallory.signs());

        assertRefused(Kind.UNVERIFIED, mallory.fingerprint(), "not a key of the allowed signers");
        try (var git = checking(Optional.empty())) {
            assertThat(CatalogChoice.of(git.read(git.resolve(good))).catalog()).isEqualTo(BuiltInCatalog.get());
        }
    }

    @Test
    void refusesAKeyThatIsForSomethingElseThanGit() throws IOException {
        Files.writeString(allowed, "ann@example.org namespaces=\"file\" " + ann.line() + "\n");
        origin.commit(MAIN, tree(), ann.signs());

        assertRefused(Kind.UNVERIFIED, ann.fingerprint(), "made for something other");
    }

    /// A list as it is written by hand, and one that ssh-keygen made.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void refusesARevokedKey(boolean binary) throws Exception {
        Path revoked = Files.writeString(folder.resolve("revoked"), "# lost in a taxi\n" + ann.line() + "\n");
        if (binary) {
            assumeThat(Path.of("/usr/bin/ssh-keygen")).exists();
            Path list = folder.resolve("krl");
            var made = new ProcessBuilder("ssh-keygen", "-k", "-f", list.toString(), revoked.toString()).start();
            assertThat(made.waitFor()).isZero();
            revoked = list;
        }
        origin.commit(MAIN, tree(), ann.signs());

        assertRefused(Optional.of(revoked), Kind.UNVERIFIED, ann.fingerprint(), "a key that is revoked");
    }

    @Test
    void emptyRevocationListRevokesNoKey() throws IOException {
        String commit = origin.commit(MAIN, tree(), ann.signs());

        assertThat(resolve(Optional.of(Files.writeString(folder.resolve("revoked"), "# none\n"))))
                .isEqualTo(commit);
        assertThat(resolve(Optional.of(Files.writeString(folder.resolve("revoked"), mallory.line()))))
                .isEqualTo(commit);
    }

    @Test
    void refusesASignatureThatIsOfAnotherCommit() throws IOException {
        String signed = origin.commit(MAIN, tree(), ann.signs());
        String text = new String(origin.raw(signed), ISO_8859_1);
        origin.rawCommit(MAIN, text.replace("A change", "Another one").getBytes(ISO_8859_1));

        assertRefused(Kind.UNVERIFIED, ann.fingerprint(), "does not match the contents");
    }

    @Test
    void refusesInvalidSignature() throws IOException {
        String signed = origin.commit(MAIN, tree(), ann.signs());
        String text = new String(origin.raw(signed), ISO_8859_1);
        origin.rawCommit(
                MAIN, text.replaceAll("U1NIU0lH[A-Za-z0-9+/]+", "U1NIU0lHAAAA").getBytes(ISO_8859_1));

        assertRefused(Kind.UNVERIFIED, "signature");
    }

    @Test
    void refusesAnOpenPgpSignatureAndSaysWhatToDo() {
        origin.commit(
                MAIN,
                tree(),
                commit -> commit.setGpgSignature(new org.eclipse.jgit.lib.GpgSignature(
                        "-----BEGIN PGP SIGNATURE-----\n\nAAAA\n-----END PGP SIGNATURE-----\n".getBytes(ISO_8859_1))));

        assertRefused(Kind.UNVERIFIED, "OpenPGP", "gpg.format ssh");
    }

    @ParameterizedTest
    @CsvSource({"valid-before, " + BEFORE, "valid-after, " + AFTER})
    void refusesAKeyOutsideOfItsTime(String option, String time) throws IOException {
        Files.writeString(allowed, "ann@example.org " + option + "=\"" + time + "\" " + ann.line() + "\n");
        origin.commit(MAIN, tree(), ann.signs());

        assertRefused(
                Kind.UNVERIFIED,
                ann.fingerprint(),
                "is not an allowed signer at the time of the commit (2023-11-14T22:13:20Z)");
    }

    @Test
    void readsWhatWasSignedWithinTheTimeOfAKey() throws IOException {
        Files.writeString(
                allowed,
                "ann@example.org valid-after=\"" + BEFORE + "\",valid-before=\"" + AFTER + "\" " + ann.line() + "\n");
        assertRefused(Kind.SIGNERS, "cannot be understood", "line 1");

        Files.writeString(
                allowed,
                "ann@example.org valid-after=\"" + BEFORE + "\" valid-before=\"" + AFTER + "\" " + ann.line() + "\n");
        String commit = origin.commit(MAIN, tree(), ann.signs());
        assertThat(resolve()).isEqualTo(commit);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nobody\n", "ann@example.org\n", "ann@example.org ssh-ed25519 AAAAnonsense\n"})
    void refusesEmptyOrInvalidSignersFile(String text) throws IOException {
        Files.writeString(allowed, text);
        origin.commit(MAIN, tree(), ann.signs());

        assertRefused(Kind.SIGNERS, allowed.toString());
    }

    @Test
    void refusesFilesThatCannotBeRead() throws IOException {
        origin.commit(MAIN, tree(), ann.signs());

        assertRefused(Optional.of(folder.resolve("none")), Kind.SIGNERS, "revoked signers", "cannot be read");
        assertRefused(
                Optional.of(Files.writeString(folder.resolve("bad"), "what is this?\n")),
                Kind.SIGNERS,
                "cannot be understood");
        Files.delete(allowed);
        assertRefused(Kind.SIGNERS, "allowed signers", "cannot be read");
    }

    /// Whoever was told a commit by somebody else gets no other answer.
    @Test
    void readsNoCommitThatIsNotSignedByItsIdEither() {
        String unsigned = origin.commit(MAIN, tree());
        origin.commit(MAIN, origin.files(Map.of("clusters/a.yaml", "two")), ann.signs());

        try (var git = checking(Optional.empty())) {
            git.resolve("main");
            assertThatExceptionOfType(GitException.class)
                    .isThrownBy(() -> git.read(unsigned))
                    .withMessageContaining("is not signed");
        }
    }

    @Test
    void takesTheCommitOfATagForItself() throws IOException {
        String commit = origin.commit(MAIN, tree());
        origin.annotatedTag("v1", ObjectId.fromString(commit), org.eclipse.jgit.lib.Constants.OBJ_COMMIT);

        try (var git = checking(Optional.empty())) {
            assertThatExceptionOfType(GitException.class)
                    .isThrownBy(() -> git.resolve("refs/tags/v1"))
                    .withMessageContaining("is not signed");
        }
    }
}
