package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.git.publish.SecretScan;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.spec.value.SecretShapes;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsLeftOutTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";

    @ParameterizedTest
    @ValueSource(strings = {"", "\\", "\"", " and more", "\n-----END EC PRIVATE KEY-----\nafter"})
    void keepsJsonReadableWithoutTheKeyInIt(String after) throws IOException {
        String key = "-----BEGIN EC PRIVATE KEY-----\n" + BODY + "\n" + BODY + after;
        String json = JSON.writeValueAsString(Map.of("reason", key, "ring", "orders"));

        String clean = SecretScan.without(json, GitAccess.none());

        assertThat(JSON.readTree(clean).path("ring").asText()).isEqualTo("orders");
        assertThat(clean).contains(SecretShapes.MARK).doesNotContain(BODY);
    }

    @Test
    void leavesTheWholeOfALongTokenOut() {
        String clean = SecretScan.without("a gh" + "p_" + "x1".repeat(40) + " b", GitAccess.none());

        assertThat(clean).isEqualTo("a " + SecretShapes.MARK + " b");
    }

    @Test
    void leavesTheTokenInUseOutPlainAndAsAHeaderCarriesIt() {
        var access = GitAccess.token("correct-horse-battery");

        String clean =
                SecretScan.without("correct-horse-battery eC1hY2Nlc3MtdG9rZW46Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5", access);

        assertThat(clean).isEqualTo(SecretShapes.MARK + " " + SecretShapes.MARK);
    }

    @Test
    void leavesNothingThatTheLastLookWouldFind() {
        String text = "-----BEGIN PRIVATE KEY-----" + "A".repeat(200_000) + "|AKIA" + "B2".repeat(8) + "|gl" + "pat-"
                + "c".repeat(400);

        assertThat(SecretShapes.known(SecretScan.without(text, GitAccess.none())))
                .isFalse();
    }
}
