package io.github.etcdgitops.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.value.StoreEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreEndpointTest {
    @ParameterizedTest
    @CsvSource({
        "https://Minio.Example:443/, https://minio.example",
        "HTTPS://minio.example.:0443, https://minio.example",
        "http://minio:80, http://minio",
        "http://minio:9000, http://minio:9000",
        "https://[0:0:0:0:0:0:0:1], https://[0:0:0:0:0:0:0:1]",
        "https://[::1]:443, https://[0:0:0:0:0:0:0:1]",
        "https://[::FFFF:10.0.0.1], https://10.0.0.1",
        "https://[::ffff:a00:1]:9000, https://10.0.0.1:9000",
        "https://xn--bcher-kva.example, https://xn--bcher-kva.example",
    })
    void givesEverySpellingOfOneServerOneName(String written, String canonical) {
        assertThat(StoreEndpoint.parse(written)).map(StoreEndpoint::toString).contains(canonical);
        assertThat(StoreEndpoint.parse(canonical)).map(StoreEndpoint::toString).contains(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://minio:99999",
                "http://minio:65536",
                "http://minio:0",
                "http://minio:",
                "http://minio:-1",
                "http://",
                "http:///bucket",
                "minio:9000",
                "ftp://minio",
                "file:///etc",
                "http://user@minio",
                "http://user:password@minio",
                "http://minio/path",
                "http://minio/?query",
                "http://minio/#fragment",
                "http://minio\\@evil",
                "http://mi nio",
                "http://minio\n",
                "http://minio..example",
                "http://.minio",
                "http://-minio",
                "http://minio_store",
                "http://m%69nio",
                "http://bücher.example",
                "http://2130706433",
                "http://127.1",
                "http://0x7f000001",
                "http://0x7f.0.0.1",
                "http://0177.0.0.1",
                "http://127.0.0.01",
                "http://256.0.0.1",
                "http://1.2.3.4.5",
                "http://host.1",
                "http://[::1",
                "http://[::1%25eth0]",
                "http://[::::]",
                "http://[1.2.3.4]",
                "http://[::ffff:999.0.0.1]",
            })
    void refusesAmbiguousEndpoint(String text) {
        assertThat(StoreEndpoint.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost",
                "http://LOCALHOST.:9000",
                "http://127.0.0.1",
                "http://127.9.8.7",
                "http://[::1]",
                "http://[::ffff:127.0.0.1]",
            })
    void knowsThisMachine(String text) {
        assertThat(StoreEndpoint.parse(text).orElseThrow().loopback()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost.evil",
                "http://evil.localhost",
                "http://127.0.0.1.evil",
                "http://128.0.0.1",
                "http://[::127.0.0.1]",
                "http://[::2]",
                "http://0.0.0.0",
            })
    void takesNothingElseForThisMachine(String text) {
        assertThat(StoreEndpoint.parse(text).orElseThrow().loopback()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://169.254.169.254",
                "http://[fe80::1]",
                "http://[fd00:ec2::254]",
                "http://100.100.100.200",
                "http://[::ffff:169.254.169.254]",
                "http://[::169.254.169.254]",
                "http://[64:ff9b::a9fe:a9fe]",
                "http://[2002:a9fe:a9fe::1]",
            })
    void knowsLinkLocalAndMetadataAddressesInEverySpelling(String text) {
        assertThat(StoreEndpoint.parse(text)
                        .orElseThrow()
                        .address()
                        .orElseThrow()
                        .linkLocal())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://0.0.0.0", "http://224.0.0.1", "http://255.255.255.255", "http://[::]", "http://[ff02::1]"
            })
    void knowsAddressesThatNoServerHas(String text) {
        assertThat(StoreEndpoint.parse(text)
                        .orElseThrow()
                        .address()
                        .orElseThrow()
                        .noServer())
                .isTrue();
    }

    @Test
    void treatsPrivateAddressAsOrdinary() {
        var address =
                StoreEndpoint.parse("https://10.1.2.3").orElseThrow().address().orElseThrow();

        assertThat(address.linkLocal() || address.noServer() || address.loopback())
                .isFalse();
        assertThat(StoreEndpoint.parse("https://minio").orElseThrow().address()).isEmpty();
    }
}
