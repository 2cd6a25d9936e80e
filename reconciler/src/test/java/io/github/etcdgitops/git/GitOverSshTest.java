package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.cli.Cli;
import io.github.etcdgitops.git.history.Lineage;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import io.github.etcdgitops.it.Relay;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.Map;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GitOverSshTest {
    @TempDir
    Path folder;

    private TestRepository origin;
    private KeyPair hostKey;
    private KeyPair clientKey;
    private Path privateKey;
    private Path knownHosts;
    private SshGitServer server;

    @BeforeEach
    void start() throws IOException, GeneralSecurityException {
        origin = TestRepository.bare(folder.resolve("fleet.git"));
        origin.commit("refs/heads/main", origin.files(Map.of("clusters/a.yaml", "one")));
        hostKey = SshGitServer.key();
        clientKey = SshGitServer.key();
        privateKey = SshGitServer.writePrivateKey(clientKey, folder.resolve("id"));
        knownHosts = folder.resolve("known_hosts");
        server = new SshGitServer("127.0.0.1", hostKey, clientKey.getPublic(), folder);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        origin.close();
    }

    private String resolve(GitAccess access) {
        return resolve(server.port(), access);
    }

    private String resolve(int port, GitAccess access) {
        var address = RepositoryAddress.parse("ssh://git@127.0.0.1:" + port + origin.path, folder);
        try (var git = GitRepository.open(address, access, folder.resolve("cache"))) {
            return git.resolve("main");
        }
    }

    private void assertFails(Kind kind, GitAccess access) {
        assertThatExceptionOfType(GitException.class)
                .isThrownBy(() -> resolve(access))
                .satisfies(e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
    }

    @Test
    void readsWithAKeyFromAHostThatIsKnown() throws IOException {
        Files.writeString(knownHosts, server.knownHostsLine(hostKey.getPublic()));

        assertThat(resolve(GitAccess.ssh(privateKey, knownHosts)))
                .isEqualTo(origin.tip("refs/heads/main").orElseThrow());
    }

    /// In the handshake, with the refs and with the objects.
    @ParameterizedTest
    @ValueSource(longs = {10, 1500, 3000})
    void triesAgainWhereTheConnectionBreaksOffOnce(long bytes) throws IOException {
        try (var relay = new Relay(URI.create("ssh://127.0.0.1:" + server.port()))) {
            relay.cutAfter(Relay.Direction.TO_CLIENT, bytes, false);
            int port = relay.endpoint().getPort();
            Files.writeString(knownHosts, server.knownHostsLine(port, hostKey.getPublic()));

            assertThat(resolve(port, GitAccess.ssh(privateKey, knownHosts)))
                    .isEqualTo(origin.tip("refs/heads/main").orElseThrow());
            assertThat(relay.cuts()).isEqualTo(1);
        }
    }

    @Test
    void givesUpWhereItAlwaysBreaksOff() throws IOException {
        try (var relay = new Relay(URI.create("ssh://127.0.0.1:" + server.port()))) {
            relay.cutAfter(Relay.Direction.TO_CLIENT, 10, true);
            int port = relay.endpoint().getPort();
            Files.writeString(knownHosts, server.knownHostsLine(port, hostKey.getPublic()));

            assertThatExceptionOfType(GitException.class)
                    .isThrownBy(() -> resolve(port, GitAccess.ssh(privateKey, knownHosts)))
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
        }
    }

    @ParameterizedTest
    @CsvSource({"ssh-rsa, 3072", "ecdsa-sha2-nistp384, 384", "ssh-ed25519, 256"})
    void readsWithKeysOfEveryKindInUse(String type, int bits) throws IOException, GeneralSecurityException {
        var host = KeyUtils.generateKeyPair(type, bits);
        var client = KeyUtils.generateKeyPair(type, bits);
        Path key = SshGitServer.writePrivateKey(client, folder.resolve("of-this-kind"));
        server.close();
        server = new SshGitServer("127.0.0.1", host, client.getPublic(), folder);
        Files.writeString(knownHosts, server.knownHostsLine(host.getPublic()));

        assertThat(resolve(GitAccess.ssh(key, knownHosts))).hasSize(40);
    }

    @Test
    void readsReadOnlyKnownHosts() throws IOException {
        Path mounted = Files.createDirectories(folder.resolve("mounted"));
        knownHosts = mounted.resolve("known_hosts");
        Files.writeString(knownHosts, server.knownHostsLine(hostKey.getPublic()));
        assertThat(knownHosts.toFile().setWritable(false)).isTrue();
        assertThat(mounted.toFile().setWritable(false)).isTrue();

        try {
            assertThat(resolve(GitAccess.ssh(privateKey, knownHosts))).hasSize(40);
        } finally {
            assertThat(mounted.toFile().setWritable(true)).isTrue();
        }
    }

    @Test
    void turnsAnUnknownHostAwayAndLearnsNothing() throws IOException {
        Files.writeString(knownHosts, "");

        assertFails(Kind.UNTRUSTED, GitAccess.ssh(privateKey, knownHosts));
        assertThat(knownHosts).isEmptyFile();
    }

    @Test
    void turnsAHostWithAnotherKeyAway() throws Exception {
        String before = server.knownHostsLine(SshGitServer.key().getPublic());
        Files.writeString(knownHosts, before);

        assertFails(Kind.UNTRUSTED, GitAccess.ssh(privateKey, knownHosts));
        assertThat(knownHosts).hasContent(before);
    }

    @Test
    void showsTheFingerprintsOfARefusedKeyAndOfTheKnownOnes() throws Exception {
        var other = SshGitServer.key().getPublic();
        String offered = KeyUtils.getFingerPrint(hostKey.getPublic());

        Files.writeString(knownHosts, server.knownHostsLine(other));
        assertThatThrownBy(() -> resolve(GitAccess.ssh(privateKey, knownHosts)))
                .hasMessageContainingAll(
                        "it offers ecdsa-sha2-nistp256 " + offered,
                        "has ecdsa-sha2-nistp256 " + KeyUtils.getFingerPrint(other));

        Files.writeString(knownHosts, "");
        assertThatThrownBy(() -> resolve(GitAccess.ssh(privateKey, knownHosts)))
                .hasMessageContainingAll(offered, "the known_hosts file has no key for it");
    }

    @Test
    void turnsARevokedKeyAway() throws IOException {
        Files.writeString(knownHosts, "@revoked " + server.knownHostsLine(hostKey.getPublic()));

        assertFails(Kind.UNTRUSTED, GitAccess.ssh(privateKey, knownHosts));
    }

    @Test
    void saysThatAKeyThatTheServerHasForgottenIsNotKnownThereAnyLonger() throws Exception {
        Files.writeString(knownHosts, server.knownHostsLine(hostKey.getPublic()));
        assertThat(resolve(GitAccess.ssh(privateKey, knownHosts))).hasSize(40);
        server.forgetClients();

        assertThatExceptionOfType(GitException.class)
                .isThrownBy(() -> resolve(GitAccess.ssh(privateKey, knownHosts)))
                .withMessageContaining("refuses the SSH key: it is unknown, or no longer accepted")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNAUTHORIZED));
    }

    @Test
    void findsTheHistoryOverSshToo() throws IOException {
        Files.writeString(knownHosts, server.knownHostsLine(hostKey.getPublic()));
        String known = origin.tip("refs/heads/main").orElseThrow();
        for (int i = 0; i < 120; i++) {
            origin.commit("refs/heads/main", origin.files(Map.of("clusters/a.yaml", "more" + i)));
        }
        var address = RepositoryAddress.parse("ssh://git@127.0.0.1:" + server.port() + origin.path, folder);

        try (var git = GitRepository.open(address, GitAccess.ssh(privateKey, knownHosts), folder.resolve("cache"))) {
            assertThat(git.lineage(known, git.resolve("main")))
                    .isInstanceOfSatisfying(
                            Lineage.Descends.class, d -> assertThat(d.since()).hasSize(120));
        }
    }

    @Test
    void reportsRefusedKey() throws Exception {
        Files.writeString(knownHosts, server.knownHostsLine(hostKey.getPublic()));
        Path other = SshGitServer.writePrivateKey(SshGitServer.key(), folder.resolve("other"));

        assertFails(Kind.UNAUTHORIZED, GitAccess.ssh(other, knownHosts));
    }

    @Test
    void saysThatThereIsNoRepository() throws IOException {
        Files.writeString(knownHosts, server.knownHostsLine(hostKey.getPublic()));
        var address = RepositoryAddress.parse("ssh://git@127.0.0.1:" + server.port() + "/nothing", folder);

        try (var git = GitRepository.open(address, GitAccess.ssh(privateKey, knownHosts), folder.resolve("cache"))) {
            assertThatExceptionOfType(GitException.class)
                    .isThrownBy(() -> git.resolve("main"))
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.NO_SUCH_REPOSITORY));
        }
    }

    /// There is no Kubernetes: whoever gets past the repository ends there.
    private String said() {
        var bytes = new ByteArrayOutputStream();
        try (var out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            String[] args = {
                "plan",
                "--repo",
                "ssh://git@127.0.0.1:" + server.port() + origin.path,
                "--ref",
                "main",
                "--cache-dir",
                folder.resolve("cache").toString(),
                "--kubeconfig",
                folder.resolve("none").toString(),
                "--git-ssh-key",
                privateKey.toString(),
                "--git-known-hosts",
                knownHosts.toString()
            };
            return Cli.run(args, Map.of(), out, out) + " " + bytes.toString(StandardCharsets.UTF_8);
        }
    }

    @Test
    void reportsHostAndKeyProblemsOnCommandLine() throws Exception {
        Files.writeString(knownHosts, server.knownHostsLine(hostKey.getPublic()));
        assertThat(said()).startsWith("78 ").contains("kubeconfig");

        Files.writeString(knownHosts, "");
        assertThat(said())
                .startsWith("77 ")
                .contains(KeyUtils.getFingerPrint(hostKey.getPublic()), "the known_hosts file has no key for it");

        var before = SshGitServer.key().getPublic();
        Files.writeString(knownHosts, server.knownHostsLine(before));
        assertThat(said())
                .startsWith("77 ")
                .contains(KeyUtils.getFingerPrint(hostKey.getPublic()), KeyUtils.getFingerPrint(before));

        Files.writeString(knownHosts, server.knownHostsLine(hostKey.getPublic()));
        server.forgetClients();
        assertThat(said()).startsWith("77 ").contains("refuses the SSH key: it is unknown, or no longer accepted");
    }
}
