package io.github.etcdgitops.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.ring.roll.Patch;
import io.github.etcdgitops.spec.release.Advisory;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatchTextTest {
    private static final EtcdVersion GOOD = EtcdVersion.parse("3.5.33").orElseThrow();

    private static Advisory advisory(int number, String title) {
        return new Advisory(
                "GHSA-" + number,
                List.of(),
                title,
                LocalDate.of(2026, 7, 23),
                Advisory.Severity.HIGH,
                Set.of(Advisory.Need.TLS),
                List.of(GOOD));
    }

    /// So many rings, each hit by so many advisories.
    private static List<Patch> patches(int rings, int advisories, String title) {
        var hitting =
                IntStream.range(0, advisories).mapToObj(i -> advisory(i, title)).toList();
        return IntStream.range(0, rings)
                .mapToObj(i -> new Patch(
                        Given.spec(new ClusterRef("demo", "ring-" + i), 3, "3.5.30"),
                        Optional.of(GOOD),
                        hitting,
                        List.of(),
                        ""))
                .toList();
    }

    @Test
    void namesEachRingAndEachAdvisory() {
        assertThat(PatchText.markdown(patches(2, 1, "a title"), 65_536)).endsWith("""
                    | ring | version | ends |
                    | --- | --- | --- |
                    | demo/ring-0 | 3.5.30 → 3.5.33 | GHSA-0 |
                    | demo/ring-1 | 3.5.30 → 3.5.33 | GHSA-0 |

                    - GHSA-0, high, published 2026-07-23: a title
                    """);
    }

    /// Forges refuse a longer one.
    @ParameterizedTest
    @ValueSource(ints = {1_000, 65_536, 1_000_000})
    void neverIsLongerThanTheForgeTakes(int longest) {
        assertThat(PatchText.markdown(patches(3_000, 60, "a title ".repeat(20)), longest))
                .hasSizeLessThanOrEqualTo(longest)
                .contains("more rings");
    }

    @Test
    void nothingInATitleBecomesMarkup() {
        assertThat(PatchText.markdown(patches(1, 1, "<img src=x> @all\n| a |"), 65_536))
                .contains("&lt;img src=x&gt;")
                .doesNotContain("<img", "\n| a |")
                .contains("`@all");
    }
}
