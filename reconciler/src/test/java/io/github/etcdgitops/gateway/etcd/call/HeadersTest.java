package io.github.etcdgitops.gateway.etcd.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Deadline;
import io.grpc.Metadata;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersTest {
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    @Test
    void requestSaysWhatIsCalled() throws Http2Exception {
        var headers = read(Headers.ofRequest("https", "m0.test", "a.B/C", in(1_000), new Metadata()));

        assertThat(headers.method()).hasToString("POST");
        assertThat(headers.scheme()).hasToString("https");
        assertThat(headers.path()).hasToString("/a.B/C");
        assertThat(headers.authority()).hasToString("m0.test");
        assertThat(headers.get("te")).hasToString("trailers");
        assertThat(headers.get("content-type")).hasToString("application/grpc");
        assertThat(headers.contains("token")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 126, 127, 128, 254, 255, 256, 5_000})
    void carriesTokenOfAnyLength(int length) throws Http2Exception {
        var token = "t".repeat(length);
        var metadata = new Metadata();
        metadata.put(TOKEN, token);

        var headers = read(Headers.ofRequest("http", "m0.test", "a.B/C", in(1_000), metadata));

        assertThat(headers.get("token")).hasToString(token);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1u",
        "4000, [34]\\d{6}u",
        "99000, 9[89]\\d{6}u",
        "101000, 10[01]\\d{3}m",
        "200000000, (200000|199999)S"
    })
    void sendsTimeLeftInEightDigits(long millis, String pattern) throws Http2Exception {
        var headers = read(Headers.ofRequest("http", "m0.test", "a.B/C", in(millis), new Metadata()));

        assertThat(headers.get("grpc-timeout").toString()).matches(pattern);
    }

    private static Deadline in(long millis) {
        return Deadline.after(millis, TimeUnit.MILLISECONDS);
    }

    private static Http2Headers read(Headers headers) throws Http2Exception {
        return new DefaultHttp2HeadersDecoder(true, 1 << 20).decodeHeaders(1, Unpooled.wrappedBuffer(headers.block()));
    }
}
