package io.github.etcdgitops.spec.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KeyRangeTest {
    @Test
    void aPrefixEndsWhereItsLastByteIsOneGreater() {
        assertThat(KeyRange.prefix("/app/")).isEqualTo(KeyRange.range("/app/", "/app0"));
        assertThat(KeyRange.prefix("/app/").describe()).isEqualTo("the prefix /app/");
    }

    @Test
    void aLastByteThatCannotGrowIsCutOff() {
        var range = KeyRange.ofBytes(new byte[] {'a', (byte) 0xff}, new byte[] {'b'});
        assertThat(range.describe()).isEqualTo("the prefix a\\xff");
        var highest = KeyRange.ofBytes(new byte[] {(byte) 0xff}, new byte[] {0});
        assertThat(highest.describe()).isEqualTo("the prefix \\xff");
    }

    @Test
    void anEmptyPrefixIsEveryKey() {
        assertThat(KeyRange.prefix("")).isEqualTo(KeyRange.ALL);
        assertThat(KeyRange.ALL.isEverything()).isTrue();
        assertThat(KeyRange.ofBytes(new byte[0], new byte[] {0}).isEverything()).isTrue();
        assertThat(KeyRange.ALL.describe()).isEqualTo("every key");
    }

    @Test
    void keysAreBytesOfUtf8() {
        assertThat(KeyRange.key("é").fromBytes()).isEqualTo("é".getBytes(StandardCharsets.UTF_8));
        assertThat(KeyRange.key("é").describe()).isEqualTo("the key \\xc3\\xa9");
    }

    @Test
    void aRangeCoversWhatLiesInIt() {
        var app = KeyRange.prefix("/app/");
        assertThat(app.covers(KeyRange.key("/app/a"))).isTrue();
        assertThat(app.covers(KeyRange.prefix("/app/x"))).isTrue();
        assertThat(app.covers(app)).isTrue();
        assertThat(app.covers(KeyRange.key("/app"))).isFalse();
        assertThat(app.covers(KeyRange.prefix("/ap"))).isFalse();
        assertThat(app.covers(KeyRange.ALL)).isFalse();
        assertThat(KeyRange.ALL.covers(app)).isTrue();
        assertThat(KeyRange.key("/app/a").covers(app)).isFalse();
        assertThat(KeyRange.key("a").covers(KeyRange.key("a"))).isTrue();
    }

    @Test
    void rangesOverlapWhereTheyShareAKey() {
        var app = KeyRange.prefix("/app/");
        assertThat(app.overlaps(KeyRange.key("/app/a"))).isTrue();
        assertThat(app.overlaps(KeyRange.range("/app0", "/b"))).isFalse();
        assertThat(app.overlaps(KeyRange.range("/", "/app/"))).isFalse();
        assertThat(app.overlaps(KeyRange.ALL)).isTrue();
        assertThat(KeyRange.ALL.overlaps(app)).isTrue();
        assertThat(KeyRange.key("a").overlaps(KeyRange.key("b"))).isFalse();
        assertThat(KeyRange.key("a").overlaps(KeyRange.key("a"))).isTrue();
    }

    @Test
    void everyKeyFromOneOnIsOpen() {
        var open = KeyRange.ofBytes("m".getBytes(StandardCharsets.UTF_8), new byte[] {0});
        assertThat(open.describe()).isEqualTo("every key from m on");
        assertThat(open.covers(KeyRange.key("z"))).isTrue();
        assertThat(open.covers(KeyRange.key("a"))).isFalse();
        assertThat(open.isEverything()).isFalse();
    }
}
