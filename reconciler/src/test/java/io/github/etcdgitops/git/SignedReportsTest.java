package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.etcdgitops.git.publish.Ownership;
import io.github.etcdgitops.git.publish.PublishResult;
import io.github.etcdgitops.git.publish.ReportPublisher;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.signature.AllowedSigners;
import io.github.etcdgitops.git.signature.ReportSigner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Optional;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyEncryptionContext;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignedReportsTest extends WithOrigin {
    private SigningKey bot;

    @BeforeEach
    void makeKey() throws IOException, GeneralSecurityException {
        bot = SigningKey.of(folder.resolve("bot"));
    }

    private PublishResult publish(Path key, String text) {
        try (var git = open()) {
            return new ReportPublisher(git, TestReports.retry(8), Optional.of(ReportSigner.read(key)))
                    .publish(
                            TestReports.BRANCH,
                            _ -> TestReports.files("README.md", text),
                            Ownership.REPORT,
                            TestReports.message("run-1"));
        }
    }

    private void assertRefused(Path key, String... words) {
        assertThatExceptionOfType(GitException.class)
                .isThrownBy(() -> ReportSigner.read(key))
                .withMessageContainingAll(words)
                .withMessageContaining(key.toString())
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.SIGNERS));
    }

    @ParameterizedTest
    @CsvSource({"ssh-ed25519, 256", "ssh-rsa, 3072", "ecdsa-sha2-nistp256, 256"})
    void nativeGitVerifiesEveryCommitOfTheReport(String type, int bits) throws Exception {
        assumeThat(Path.of("/usr/bin/ssh-keygen")).exists();
        var key = SigningKey.of(type, bits, folder.resolve("key"));
        Path allowed = Files.writeString(folder.resolve("allowed"), "bot@example.org " + key.line() + "\n");

        publish(key.file(), "one");
        publish(key.file(), "two");

        for (String commit : new String[] {TestReports.REF, TestReports.REF + "~1"}) {
            assertThat(NativeGit.run(
                            origin.path, "-c", "gpg.ssh.allowedSignersFile=" + allowed, "verify-commit", "-v", commit))
                    .contains("Good \"git\" signature for bot@example.org", key.fingerprint());
        }
    }

    @Test
    void ourOwnVerificationAgrees() throws IOException {
        publish(bot.file(), "one");
        Path allowed = Files.writeString(folder.resolve("allowed"), "bot@example.org " + bot.line() + "\n");

        try (var git = GitRepository.open(
                origin.address(),
                GitAccess.none(),
                Optional.of(AllowedSigners.read(allowed, Optional.empty(), cache)),
                cache)) {
            assertThat(git.resolve(TestReports.REF)).hasSize(40);
        }
    }

    @Test
    void withoutNewsThereIsNoCommitAlthoughSignaturesDiffer() throws Exception {
        var key = SigningKey.of("ecdsa-sha2-nistp256", 256, folder.resolve("key"));
        publish(key.file(), "one");

        assertThat(publish(key.file(), "one")).isInstanceOf(PublishResult.Unchanged.class);
    }

    @Test
    void refusesAKeyThatOthersCanRead() throws IOException {
        for (String mode : new String[] {"rw-r--r--", "rw-rw----", "rw----r--"}) {
            Files.setPosixFilePermissions(bot.file(), PosixFilePermissions.fromString(mode));
            assertRefused(bot.file(), "others");
        }
        Files.setPosixFilePermissions(bot.file(), PosixFilePermissions.fromString("r--r-----"));
        publish(bot.file(), "as Kubernetes mounts it");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "nonsense", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n"
            })
    void refusesWhatIsNoKey(String text) throws IOException {
        Files.writeString(bot.file(), text);

        assertRefused(bot.file(), "not an SSH private key");
    }

    @Test
    void refusesAKeyThatIsEncryptedOrNotThere() throws Exception {
        var how = new OpenSSHKeyEncryptionContext();
        how.setPassword("secret");
        how.setCipherType("256");
        try (var out = Files.newOutputStream(bot.file())) {
            OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(bot.pair(), "", how, out);
        }
        assertRefused(bot.file(), "encrypted");

        Files.delete(bot.file());
        assertRefused(bot.file(), "cannot be read");
    }

    @Test
    void refusesAPathThatWouldBeTakenForAKey() throws IOException {
        Path spaced = Files.createDirectories(folder.resolve("a folder")).resolve("bot");

        assertRefused(Files.move(bot.file(), spaced), "a space in its path");
    }

    @Test
    void neverPublishesUnsignedIfKeyIsGone() throws IOException {
        var signer = ReportSigner.read(bot.file());
        Files.delete(bot.file());

        try (var git = open()) {
            var publisher = new ReportPublisher(git, TestReports.retry(8), Optional.of(signer));
            assertThatExceptionOfType(GitException.class)
                    .isThrownBy(() -> publisher.publish(
                            TestReports.BRANCH,
                            _ -> TestReports.files("README.md", "one"),
                            Ownership.REPORT,
                            TestReports.message("run-1")))
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.SIGNERS));
        }
        assertThat(origin.tip(TestReports.REF)).isEmpty();
    }
}
