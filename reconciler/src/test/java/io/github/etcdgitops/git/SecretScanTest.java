package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.git.publish.SecretScan;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.repository.GitException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretScanTest {
    private static void scan(String text) {
        SecretScan.requireNone("rings/orders.md", text.getBytes(UTF_8), GitAccess.none());
    }

    /// None of them is or was one. Put together here, so that scanners of source code leave this file alone.
    static Stream<String> secrets() {
        return Stream.of(
                        List.of("AGE-SECRET", "-KEY-1", "Q".repeat(58)),
                        List.of("-----BEGIN ", "EC PRIVATE ", "KEY-----"),
                        List.of("gh", "p_", "a".repeat(36)),
                        List.of("github", "_pat_", "a".repeat(40)),
                        List.of("gl", "pat-", "a".repeat(20)),
                        List.of("AK", "IA", "A".repeat(16)),
                        List.of("xo", "xb-", "1".repeat(20)),
                        List.of("eyJ", "a".repeat(20), ".eyJ", "b".repeat(20), ".", "c".repeat(20)))
                .map(parts -> String.join("", parts));
    }

    @ParameterizedTest
    @MethodSource("secrets")
    void refusesSecretWithoutRepeatingIt(String secret) {
        for (String text : List.of(secret, "identity: " + secret + "\n", "{\"recipient\":\"" + secret + "\"}")) {
            assertThatThrownBy(() -> scan(text))
                    .isInstanceOfSatisfying(
                            GitException.class, e -> assertThat(e.kind()).isEqualTo(GitException.Kind.REFUSED))
                    .hasMessageContaining("rings/orders.md contains text that looks like a key")
                    .hasMessageNotContaining(secret);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "age1v3zmwkwelx0h3ejh2xth9wsntey58xd5tsfrdtvvwwup8972s9kqu94h6q",
                "a line of the identity file is not an age identity of the form AGE-SECRET-KEY-1…",
                "-----BEGIN CERTIFICATE-----",
                "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
            })
    void publishesHarmlessText(String text) {
        assertThatNoException().isThrownBy(() -> scan(text));
    }

    @Test
    void ourOwnTokenIsNotPublishedWhateverItLooksLike() {
        var access = GitAccess.token("correct-horse-battery");

        assertThatThrownBy(
                        () -> SecretScan.requireNone("index.md", "said correct-horse-battery".getBytes(UTF_8), access))
                .isInstanceOf(GitException.class)
                .hasMessageNotContaining("horse");
    }
}
