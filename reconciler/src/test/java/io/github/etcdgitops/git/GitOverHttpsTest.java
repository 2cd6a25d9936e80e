package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.etcdgitops.cli.Cli;
import io.github.etcdgitops.git.history.Lineage;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.remote.HttpProxy;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import io.github.etcdgitops.it.LoopbackTls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// TLS, proxies and tokens, with native `git` behind them.
class GitOverHttpsTest extends WithOrigin {
    private static final String TOKEN = "t0ken-that-nobody-may-see";
    private static final String HOST = LoopbackTls.HOST;

    private final LoopbackTls tls = new LoopbackTls();
    private SmartHttpServer server;
    private Path ca;

    @BeforeEach
    void start() throws IOException {
        commit("refs/heads/main", "one");
        ca = tls.ca(folder.resolve("ca.pem"));
        server = SmartHttpServer.encrypted(folder, Optional.of(TOKEN), tls.server());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private GitAccess access(Optional<HttpProxy> proxy) {
        return GitAccess.token(TOKEN).by(Optional.of(ca), proxy);
    }

    private String resolve(String url, GitAccess access) {
        try (var git = GitRepository.open(RepositoryAddress.parse(url + "/origin.git", folder), access, cache)) {
            String commit = git.resolve("main");
            assertThat(git.read(commit).documents()).hasSize(1);
            return commit;
        }
    }

    private void assertRefused(Kind kind, GitAccess access, String... words) {
        assertRefused(kind, server.url(), access, words);
    }

    private void assertRefused(Kind kind, String url, GitAccess access, String... words) {
        assertThatExceptionOfType(GitException.class)
                .isThrownBy(() -> resolve(url, access))
                .withMessageContainingAll(words)
                .satisfies(e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind))
                .satisfies(e -> assertThat(e.toString() + e.getCause()).doesNotContain(TOKEN));
    }

    @Test
    void readsWithAnAuthorityFromAFileAndSendsTheToken() throws IOException {
        assertThat(resolve(server.url(), access(Optional.empty())))
                .isEqualTo(origin.tip("refs/heads/main").orElseThrow());
    }

    @Test
    void refusesServerOfUnknownCa() {
        assertRefused(Kind.UNTRUSTED, GitAccess.token(TOKEN), "TLS certificate", "is not trusted", "those of Java");
        assertThat(server.authorizations).isEmpty();
    }

    @Test
    void refusesAServerOfAnotherAuthorityThanTheGivenOne() throws IOException {
        new LoopbackTls().ca(ca);

        assertRefused(Kind.UNTRUSTED, access(Optional.empty()), "TLS certificate", "is not trusted", ca.toString());
        assertThat(server.authorizations).isEmpty();
    }

    @Test
    void refusesACertificateOfAnotherName() {
        String url = server.url().replace("127.0.0.1", "127.0.0.2");
        try (var proxy = new ConnectProxy(server.port())) {
            assertRefused(
                    Kind.UNTRUSTED,
                    url,
                    access(Optional.of(new HttpProxy("127.0.0.1", port(proxy)))),
                    "TLS certificate");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"'', no certificate", "nonsense, certificate"})
    void refusesAFileOfAuthoritiesThatHasNone(String text, String words) throws IOException {
        Files.writeString(ca, text);

        assertRefused(Kind.INVALID_ADDRESS, access(Optional.empty()), "CA file", words, ca.toString());
    }

    @Test
    void distinguishesExpiredTokenFromMissingRights() {
        assertRefused(
                Kind.UNAUTHORIZED,
                GitAccess.token("old").by(Optional.of(ca), Optional.empty()),
                "refuses the token",
                "expired",
                "401");
        assertRefused(
                Kind.UNAUTHORIZED, GitAccess.none().by(Optional.of(ca), Optional.empty()), "access without a token");

        server.code = 403;
        assertRefused(Kind.UNAUTHORIZED, access(Optional.empty()), "accepts the token", "no right to do this", "403");
    }

    private static int port(ConnectProxy proxy) {
        return Integer.parseInt(proxy.url().replaceAll(".*:", ""));
    }

    @Test
    void goesThroughTheProxyOfTheEnvironmentToAHostThatOnlyThatKnows() throws IOException {
        String url = "https://" + HOST;
        try (var proxy = new ConnectProxy(server.port())) {
            var way = HttpProxy.of(
                    RepositoryAddress.parse(url + "/origin.git", folder),
                    Optional.empty(),
                    Map.of("HTTPS_PROXY", proxy.url()));

            assertThat(resolve(url, access(way))).hasSize(40);
            assertThat(proxy.asked).isNotEmpty().allMatch(line -> line.equals("CONNECT " + HOST + ":443"));
        }
    }

    /// The options and the variables, as a person gives them. There is no Kubernetes: whoever gets past the repository
    /// ends there.
    @Test
    void takesCaProxyAndTokenFromOptionsAndEnvironment() throws IOException {
        try (var proxy = new ConnectProxy(server.port())) {
            var environment = Map.of("HTTPS_PROXY", proxy.url(), "ETCD_GITOPS_GIT_TOKEN", TOKEN);
            String[] args = {
                "plan",
                "--repo",
                "https://" + HOST + "/origin.git",
                "--ref",
                "main",
                "--cache-dir",
                cache.toString(),
                "--kubeconfig",
                folder.resolve("none").toString(),
                "--git-ca",
                ca.toString()
            };

            assertThat(said(environment, args)).startsWith("78 ").contains("kubeconfig");
            assertThat(proxy.asked).isNotEmpty();
            assertThat(said(environment, Arrays.copyOf(args, args.length - 2)))
                    .startsWith("77 ")
                    .contains("is not trusted");
            assertThat(said(Map.of("ETCD_GITOPS_GIT_PROXY", proxy.url()), args))
                    .startsWith("77 ")
                    .contains("refuses access without a token");
        }
    }

    private static String said(Map<String, String> environment, String... args) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            return Cli.run(args, environment, out, out) + " " + bytes.toString(StandardCharsets.UTF_8);
        }
    }

    @Test
    void saysThatTheProxyStoodInTheWay() throws IOException {
        try (var proxy = new ConnectProxy(server.port())) {
            proxy.answer = "407 Proxy Authentication Required";
            var way = Optional.of(new HttpProxy("127.0.0.1", port(proxy)));

            assertRefused(
                    Kind.UNREACHABLE, "https://" + HOST, access(way), "through the proxy 127.0.0.1:" + port(proxy));
            assertThat(server.authorizations).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', proxy:3128",
        "other.example.org, proxy:3128",
        "ample.org, proxy:3128",
        "'git.example.org:8443', proxy:3128",
        "git.example.org, ",
        "'x, .example.org', ",
        "*.example.org, ",
        "example.org, ",
        "'GIT.example.org:443', ",
        "*, "
    })
    void bypassesProxyForHostsInNoProxy(String list, String expected) {
        var environment = Map.of("https_proxy", "http://proxy", "no_proxy", list);
        var address = RepositoryAddress.parse("https://git.example.org/rings.git", folder);

        assertThat(HttpProxy.of(address, Optional.empty(), environment).map(HttpProxy::toString))
                .isEqualTo(Optional.ofNullable(expected));
    }

    @Test
    void prefersProxyOptionToEnvironmentAndIgnoresBothForSsh() {
        var environment = Map.of("HTTPS_PROXY", "http://proxy:1", "NO_PROXY", "*");
        var address = RepositoryAddress.parse("https://git.example.org/rings.git", folder);

        assertThat(HttpProxy.of(address, Optional.of("http://other:2/"), environment))
                .contains(new HttpProxy("other", 2));
        assertThat(HttpProxy.of(address, Optional.of("none"), Map.of("HTTPS_PROXY", "http://proxy:1")))
                .isEmpty();
        assertThat(HttpProxy.of(
                        RepositoryAddress.parse("git@git.example.org:rings.git", folder),
                        Optional.of("http://other:2"),
                        environment))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "http://me:hunter2@proxy:3128, a password in it",
        "https://proxy:3128, not of the form",
        "socks5://proxy:1080, not of the form",
        "http://proxy:99999, the port"
    })
    void refusesAProxyThatItCannotUseAndDoesNotRepeatIt(String url, String words) {
        var address = RepositoryAddress.parse("https://git.example.org/rings.git", folder);

        assertThatExceptionOfType(GitException.class)
                .isThrownBy(() -> HttpProxy.of(address, Optional.empty(), Map.of("HTTPS_PROXY", url)))
                .withMessageContainingAll(words, "HTTPS_PROXY")
                .satisfies(e -> assertThat(e).message().doesNotContain("hunter2"));
    }

    @Test
    void findsTheHistoryOverHttpToo() {
        String known = commit("refs/heads/main", "known");
        for (int i = 0; i < 120; i++) {
            commit("refs/heads/main", "more" + i);
        }
        try (var git = GitRepository.open(
                RepositoryAddress.parse(server.url() + "/origin.git", folder), access(Optional.empty()), cache)) {
            assertThat(git.lineage(known, git.resolve("main")))
                    .isInstanceOfSatisfying(
                            Lineage.Descends.class, d -> assertThat(d.since()).hasSize(120));
        }
    }
}
