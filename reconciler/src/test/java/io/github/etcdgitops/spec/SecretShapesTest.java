package io.github.etcdgitops.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.value.SecretShapes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretShapesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ghp_0123456789abcdefghijABCDEFGHIJ012345",
                "AKIAABCDEFGHIJKLMNOP",
                "-----BEGIN EC PRIVATE KEY-----",
                "https://kim:hunter2@example.org/x",
                "Zm9vQmFyMTIzNDU2Nzg5MGFiY2RlZmdoaWprbG1Ob1A=",
                "k8Jq2ZpX7vR1tYw9LmN4bC6dF3gH5sQa"
            })
    void looksLikeASecret(String text) {
        assertThat(SecretShapes.likely("x: " + text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "registry.example.org/etcd",
                "sha256:d967d98a12dc220a1a290794711dba7eba04b8ce465e12b02383d1bfbb33e159",
                "topology.kubernetes.io/zone",
                "requiredDuringSchedulingIgnoredDuringExecution",
                "a-very-long-name-of-a-node-pool-in-europe-west-4",
                "https://example.org/runbooks/etcd#section-2",
                "0123456789012345678901234567890123456789"
            })
    void looksLikeNothingOfTheKind(String text) {
        assertThat(SecretShapes.likely(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-----BEGIN PRIVATE KEY-----",
                "ghp_0123456789abcdefghijABCDEFGHIJ012345",
                "ghs_0123456789abcdefghijABCDEFGHIJ012345",
                "github_pat_0123456789abcdefghijABCDEFGHIJ0123456789",
                "glpat-0123456789abcdefghij",
                "AGE-SECRET-KEY-10123456789ABCDEFGHIJ0123456789ABCDEFGHIJ0123456789",
                "AKIAABCDEFGHIJKLMNOP",
                "xoxb-0123456789abcdefghij",
                "eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.SflKxwRJSMeK"
            })
    void findsEachFormAnywhere(String secret) {
        for (String text : List.of(secret, "high -- gh: " + secret + "\nx", "g-Axe\"" + secret + "\"")) {
            assertThat(SecretShapes.known(text)).as(text).isTrue();
            assertThat(SecretShapes.without(text)).contains(SecretShapes.MARK).doesNotContain(secret);
        }
    }

    @Test
    void leavesOtherTextAsItIs() {
        String text = "ghost gh_ glpat AKI xo eY -----BEGIN CERTIFICATE-----";

        assertThat(SecretShapes.without(text)).isEqualTo(text);
    }
}
