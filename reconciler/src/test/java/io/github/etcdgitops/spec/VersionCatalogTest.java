package io.github.etcdgitops.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.VersionCatalog;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionCatalogTest {
    private static EtcdVersion v(String text) {
        return EtcdVersion.parse(text).orElseThrow();
    }

    private static List<EtcdVersion> versions(String texts) {
        return texts == null || texts.isEmpty()
                ? List.of()
                : Arrays.stream(texts.split(" ")).map(VersionCatalogTest::v).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "3.5.16, 3.5.16, '',              ''",
        "3.5.16, 3.5.30, '',              3.5.30",
        "3.5.30, 3.5.16, '',              3.5.16",
        "3.3.25, 3.4.23, '',              3.4.23",
        "3.3.25, 3.5.30, '',              3.4.37 3.5.30",
        "3.3.25, 3.5.30, 3.4.23,          3.4.23 3.5.30",
        "3.3.25, 3.5.30, 3.4.23 3.5.16,   3.4.23 3.5.16 3.5.30",
        "3.3.25, 3.5.30, 3.5.16 3.4.23,   3.4.23 3.5.16 3.5.30",
        "3.4.23, 3.5.30, 3.3.27 3.6.0,    3.5.30",
        "3.5.16, 3.6.4,  '',              3.5.26 3.6.4",
        "3.5.26, 3.6.4,  '',              3.6.4",
        "3.5.16, 3.6.4,  3.5.27,          3.5.27 3.6.4",
        "3.5.10, 3.6.4,  3.5.16,          3.5.16 3.5.26 3.6.4",
        "3.4.23, 3.6.4,  '',              3.5.26 3.6.4",
        "3.4.23, 3.6.4,  3.5.16,          3.5.16 3.5.26 3.6.4",
        "3.3.25, 3.6.4,  '',              3.4.37 3.5.26 3.6.4"
    })
    void goesUpOneLineAtATime(String from, String to, String via, String hops) {
        assertThat(VersionCatalog.path(v(from), v(to), versions(via)))
                .isEqualTo(new VersionCatalog.Path.Hops(versions(hops)));
    }

    @ParameterizedTest
    @CsvSource({
        "3.5.16, 3.4.23, 'before 3.6, etcd cannot be downgraded'",
        "3.4.0, 3.3.27, 'before 3.6, etcd cannot be downgraded'",
        "3.6.4, 3.4.37, 'can be downgraded to 3.5 and not further'",
        "3.7.1, 3.4.37, 'can be downgraded to 3.5 and not further'"
    })
    void refusesDowngradeWithReasonForVersion(String from, String to, String why) {
        assertThat(VersionCatalog.path(v(from), v(to), List.of()))
                .isInstanceOfSatisfying(
                        VersionCatalog.Path.None.class,
                        none -> assertThat(none.reason()).contains(why, "backup", "Set the version to " + from));
    }

    @ParameterizedTest
    @CsvSource({
        "3.6.14, 3.5.30, '', 3.5.30",
        "3.6.14, 3.5.30, 3.6.11, 3.5.30",
        "3.7.1, 3.6.14, '', 3.6.14",
        "3.7.1, 3.5.30, 3.6.14, '3.6.14 3.5.30'",
        "3.7.1, 3.5.30, '3.6.11 3.6.14', '3.6.14 3.5.30'"
    })
    void downgradesOneMinorVersionAtATime(String from, String to, String via, String hops) {
        assertThat(VersionCatalog.path(v(from), v(to), versions(via)))
                .isEqualTo(new VersionCatalog.Path.Hops(versions(hops)));
    }

    @Test
    void downgradeStopsAtReleaseOfTheCatalogueInBetween() {
        assertThat(VersionCatalog.path(v("3.7.1"), v("3.5.30"), List.of()))
                .isInstanceOfSatisfying(
                        VersionCatalog.Path.Hops.class,
                        hops -> assertThat(hops.versions())
                                .extracting(EtcdVersion::minor)
                                .containsExactly(6, 5));
    }

    @Test
    void refusesDowngradeToBannedOrOverUnknownRelease() {
        assertThat(VersionCatalog.path(v("3.6.14"), v("3.5.2"), List.of()))
                .isInstanceOf(VersionCatalog.Path.None.class);
        assertThat(VersionCatalog.path(v("3.99.0"), v("3.97.0"), List.of()))
                .isInstanceOfSatisfying(
                        VersionCatalog.Path.None.class,
                        none -> assertThat(none.reason()).contains("spec.rollout.via"));
    }

    @Test
    void refusesUpgradeThroughBannedRelease() {
        assertThat(VersionCatalog.path(v("3.4.23"), v("3.5.30"), List.of(v("3.5.1"))))
                .isInstanceOfSatisfying(
                        VersionCatalog.Path.None.class,
                        none -> assertThat(none.reason()).contains("13766"));
        assertThat(VersionCatalog.path(v("3.5.3"), v("3.5.2"), List.of())).isInstanceOf(VersionCatalog.Path.None.class);
    }

    @ParameterizedTest
    @CsvSource({"3.5.0, true", "3.5.2, true", "3.5.3, false", "3.4.37, false", "3.6.0, false"})
    void someReleasesMustNotRun(String version, boolean banned) {
        assertThat(VersionCatalog.ban(v(version)).isPresent()).isEqualTo(banned);
    }

    @ParameterizedTest
    @CsvSource({"3.2.32, false", "3.3.0, true", "3.6.99, true", "3.7.0, false", "4.3.0, false"})
    void knowsItsLines(String version, boolean known) {
        assertThat(VersionCatalog.knows(v(version))).isEqualTo(known);
    }
}
