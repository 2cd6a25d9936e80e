package io.github.etcdgitops.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.VersionRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionRangeTest {
    @ParameterizedTest
    @CsvSource({
        ">=3.5.16 <3.6.0, 3.5.16, true",
        ">=3.5.16 <3.6.0, 3.6.0, false",
        "3.5.x, 3.5.30, true",
        "3.5.x, 3.4.30, false",
        "3.5, 3.5.30, true",
        "~3.5.16, 3.5.15, false",
        "^3.5.2, 3.9.0, true",
        "3.4.0 - 3.5.9, 3.5.9, true",
        "3.4.0 - 3.5.9, 3.5.10, false",
        "3.4.23 || >=3.5.16, 3.4.23, true",
        "3.4.23 || >=3.5.16, 3.5.1, false",
        "<=3.5.9, 3.5.9, true",
        "=3.5.9, 3.5.8, false",
    })
    void holdsVersions(String range, String version, boolean holds) {
        assertThat(VersionRange.parse(range)
                        .orElseThrow()
                        .contains(EtcdVersion.parse(version).orElseThrow()))
                .isEqualTo(holds);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "latest",
                "*",
                "foo",
                "[3.5,3.6)",
                ">>3",
                "=>3.5",
                ">= 3.5",
                "3.5.16,3.5.17",
                "1.2.3.4",
                ">=3.5.9999999999",
                "3.5.16 foo",
                "v3.5.16",
                "3.5.16-rc.1",
                "3.5.16 ||",
                "3.05.1"
            })
    void isRefusedRatherThanGuessed(String range) {
        assertThat(VersionRange.parse(range)).isEmpty();
    }
}
