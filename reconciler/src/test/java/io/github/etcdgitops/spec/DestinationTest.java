package io.github.etcdgitops.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.value.Destination;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationTest {
    private static Destination s3(String endpoint) {
        return new Destination.S3(
                "bucket", "", Optional.of(endpoint), Optional.empty(), true, Optional.empty(), Optional.empty());
    }

    private static Destination gcs(String endpoint) {
        return new Destination.Gcs("bucket", "", Optional.of(endpoint), Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({
        "https://store.example.org/, https://store.example.org",
        "https://store.example.org:443, https://store.example.org",
        "https://store.example.org:443/, https://store.example.org",
        "HTTPS://Store.Example.ORG, https://store.example.org",
        "http://store.example.org:80, http://store.example.org",
        "http://store.example.org:0080, http://store.example.org",
        "http://store.example.org:09000/, http://store.example.org:9000",
        "https://[FD00::1]:443, https://[fd00:0:0:0:0:0:0:1]"
    })
    void normalizesSpellingOfEndpoint(String written, String same) {
        assertThat(s3(written)).isEqualTo(s3(same)).hasSameHashCodeAs(s3(same));
        assertThat(gcs(written)).isEqualTo(gcs(same));
        assertThat(((Destination.S3) s3(written)).endpoint()).contains(same);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://store.example.org",
                "https://store.example.org:80",
                "https://store.example.org:8443",
                "https://store2.example.org",
                "https://store.example.org/api"
            })
    void anotherPortSchemeHostOrPathIsAnotherPlace(String other) {
        assertThat(s3("https://store.example.org")).isNotEqualTo(s3(other));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"nonsense", "", "ftp://A/", "https://", "https://Kim:x@Host/", "https://Host?a=B", "https://h:8x"
            })
    void keepsMalformedEndpointForStoreToRefuse(String endpoint) {
        assertThat(((Destination.S3) s3(endpoint)).endpoint()).contains(endpoint);
    }
}
