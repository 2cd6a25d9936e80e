package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeForge;
import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.it.LoopbackTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// A forge of one's own, whose certificate no public authority has signed, over real TLS on loopback.
class ReviewOverTlsTest {
    private static final String HERE = "127.0.0.1";

    private final LoopbackTls tls = new LoopbackTls();

    @TempDir
    Path folder;

    private Ran comment(FakeForge fake, String... more) throws IOException {
        return comment(fake.api().toString(), Map.of("ETCD_GITOPS_FORGE_TOKEN", FakeForge.TOKEN), fake, more);
    }

    private Ran comment(String api, Map<String, String> environment, FakeForge fake, String... more)
            throws IOException {
        var plan = Files.writeString(folder.resolve("plan.md"), "# Rings\n");
        var args = new ArrayList<>(
                List.of("review", "comment", "--forge", fake.kind().name().toLowerCase(Locale.ROOT)));
        args.addAll(List.of("--repository", "acme/rings", "--api-url", api));
        args.addAll(List.of("--pull-request", "12", "--from", plan.toString()));
        args.addAll(List.of(more));
        var ran = Ran.of(environment, args.toArray(String[]::new));
        assertThat(ran.out() + ran.err()).doesNotContain(FakeForge.TOKEN, "Exception");
        return ran;
    }

    private FakeForge encrypted(Forge.Kind kind, SSLContext context) {
        return new FakeForge(kind, HERE, Optional.of(context));
    }

    @ParameterizedTest
    @EnumSource
    void trustsCaFromFile(Forge.Kind kind) throws IOException {
        try (var fake = encrypted(kind, tls.server())) {
            var ca = tls.ca(folder.resolve("ca.pem"));

            assertThat(comment(fake, "--forge-ca", ca.toString()).code()).isZero();

            assertThat(fake.bodies()).hasSize(1);
        }
    }

    @Test
    void readsCaFileFromEnvironment() throws IOException {
        try (var fake = encrypted(Forge.Kind.GITEA, tls.server())) {
            var ca = tls.ca(folder.resolve("ca.pem"));
            var environment = Map.of("ETCD_GITOPS_FORGE_TOKEN", FakeForge.TOKEN, "ETCD_GITOPS_FORGE_CA", ca.toString());

            assertThat(comment(fake.api().toString(), environment, fake).code()).isZero();
        }
    }

    @Test
    void unknownCaIsNotTrustedAndMessageSaysWhatToDo() throws IOException {
        try (var fake = encrypted(Forge.Kind.GITLAB, tls.server())) {
            var ran = comment(fake);

            assertThat(ran.err()).contains("GitLab could not prove its identity", "CA that Java trusts", "--forge-ca");
            assertThat(ran.code()).isEqualTo(77);
            assertThat(fake.asked()).isEmpty();
        }
    }

    @Test
    void distrustsServerOfCaNotInFile() throws IOException {
        try (var fake = encrypted(Forge.Kind.GITHUB, tls.server())) {
            var other = new LoopbackTls().ca(folder.resolve("other.pem"));

            var ran = comment(fake, "--forge-ca", other.toString());

            assertThat(ran.err()).contains("not from a CA in " + other);
            assertThat(ran.code()).isEqualTo(77);
            assertThat(fake.asked()).isEmpty();
        }
    }

    @Test
    void rejectsExpiredCertificateOrWrongName() throws IOException {
        String ca = tls.ca(folder.resolve("ca.pem")).toString();
        var ended = Optional.of(tls.server(Instant.now().minus(Duration.ofDays(3))));
        try (var late = new FakeForge(Forge.Kind.GITHUB, HERE, ended);
                var other = new FakeForge(Forge.Kind.GITHUB, "127.0.0.2", Optional.of(tls.server()))) {
            for (var fake : List.of(late, other)) {
                var ran = comment(fake, "--forge-ca", ca);

                assertThat(ran.err()).contains("not for its name, or not valid now");
                assertThat(ran.code()).isEqualTo(77);
                assertThat(fake.asked()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"'', has no certificate", "nonsense, has no certificate", ", cannot be read"})
    void invalidCaFileIsWrongConfiguration(String text, String words) throws IOException {
        var file = folder.resolve("ca.pem");
        if (text != null) {
            Files.writeString(file, text);
        }
        try (var fake = encrypted(Forge.Kind.GITHUB, tls.server())) {
            var ran = comment(fake, "--forge-ca", file.toString());

            assertThat(ran.err()).contains("the CA file " + words, file.toString());
            assertThat(ran.code()).isEqualTo(78);
        }
    }
}
