package io.github.etcdgitops.fake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A search that finds nothing would be as green as one that had something to find.
class MarksTest {
    private final Marks marks = new Marks();
    private final String token = marks.plant("a token");

    static Stream<UnaryOperator<String>> leaks() {
        return Stream.of(
                secret -> secret,
                secret -> "https://user:" + secret + "@host/",
                secret -> "x" + URLEncoder.encode("a b/" + secret, UTF_8),
                secret -> Base64.getEncoder().encodeToString(secret.getBytes(UTF_8)),
                secret -> Base64.getEncoder().encodeToString(("x-access-token:" + secret).getBytes(UTF_8)),
                secret -> Base64.getEncoder().encodeToString(("ab" + secret + "\n").getBytes(UTF_8)),
                secret -> Base64.getUrlEncoder().encodeToString(("{\"t\":\"" + secret + "\"}").getBytes(UTF_8)),
                secret -> HexFormat.of().formatHex(secret.getBytes(UTF_8)),
                secret -> secret.toUpperCase(Locale.ROOT),
                secret -> "cut: " + secret.substring(0, 16) + "…",
                secret -> "…" + secret.substring(10));
    }

    @ParameterizedTest
    @MethodSource("leaks")
    void findsLeakedSecretInEveryForm(UnaryOperator<String> leak) {
        assertThat(marks.in(("before " + leak.apply(token) + " after").getBytes(UTF_8)))
                .containsExactly("a token");
    }

    @Test
    void findsNoSecretInOtherText() {
        marks.known("another", "a-token-of-nobody-0123456789");

        assertThat(marks.in("a text with a-token in it, and sha256:0123456789abcdef".getBytes(UTF_8)))
                .isEmpty();
        assertThat(marks.size()).isEqualTo(2);
    }
}
