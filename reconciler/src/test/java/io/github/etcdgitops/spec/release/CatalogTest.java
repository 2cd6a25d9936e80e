package io.github.etcdgitops.spec.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Releases;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatalogTest {
    private static EtcdVersion v(String text) {
        return EtcdVersion.parse(text).orElseThrow();
    }

    private static List<EtcdVersion> versions(String texts) {
        return texts == null || texts.isEmpty()
                ? List.of()
                : Arrays.stream(texts.split(" ")).map(CatalogTest::v).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "3.5.16, 3.5.16, '',              ''",
        "3.5.16, 3.5.30, '',              3.5.30",
        "3.5.30, 3.5.16, '',              3.5.16",
        "3.3.25, 3.4.23, '',              3.4.23",
        "3.3.25, 3.5.30, '',              3.4.45 3.5.25 3.5.30",
        "3.3.25, 3.5.30, 3.4.23,          3.4.23 3.5.25 3.5.30",
        "3.3.25, 3.5.30, 3.4.23 3.5.16,   3.4.23 3.5.16 3.5.30",
        "3.3.25, 3.5.30, 3.5.16 3.4.23,   3.4.23 3.5.16 3.5.30",
        "3.4.23, 3.5.30, 3.3.27 3.6.0,    3.5.25 3.5.30",
        "3.4.23, 3.5.25, '',              3.5.25",
        "3.4.23, 3.5.16, '',              3.5.16",
        "3.4.23, 3.5.33, 3.5.30,          3.5.25 3.5.30 3.5.33",
        "3.5.16, 3.6.4,  '',              3.5.33 3.6.4",
        "3.5.26, 3.6.4,  '',              3.6.4",
        "3.5.16, 3.6.4,  3.5.27,          3.5.27 3.6.4",
        "3.5.30, 3.7.1,  '',              3.6.14 3.7.1",
        "3.6.4,  3.7.1,  '',              3.6.14 3.7.1",
        "3.6.11, 3.7.1,  '',              3.7.1",
        "3.4.23, 3.7.1,  3.5.30,          3.5.25 3.5.30 3.6.14 3.7.1",
        "3.5.10, 3.6.4,  3.5.16,          3.5.16 3.5.33 3.6.4",
        "3.4.23, 3.6.4,  '',              3.5.25 3.5.33 3.6.4",
        "3.4.23, 3.6.4,  3.5.16,          3.5.16 3.5.33 3.6.4",
        "3.3.25, 3.6.4,  '',              3.4.45 3.5.25 3.5.33 3.6.4"
    })
    void goesUpOneLineAtATime(String from, String to, String via, String hops) {
        assertThat(Releases.KNOWN.path(v(from), v(to), versions(via))).isEqualTo(new UpgradePath.Hops(versions(hops)));
    }

    @ParameterizedTest
    @CsvSource({
        "3.5.16, 3.4.23, 'before 3.6, etcd cannot be downgraded'",
        "3.4.0, 3.3.27, 'before 3.6, etcd cannot be downgraded'",
        "3.6.4, 3.4.37, 'can be downgraded to 3.5 and not further'",
        "3.7.1, 3.4.37, 'can be downgraded to 3.5 and not further'"
    })
    void refusesDowngradeWithReasonForVersion(String from, String to, String why) {
        assertThat(Releases.KNOWN.path(v(from), v(to), List.of()))
                .isInstanceOfSatisfying(
                        UpgradePath.None.class,
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
        assertThat(Releases.KNOWN.path(v(from), v(to), versions(via))).isEqualTo(new UpgradePath.Hops(versions(hops)));
    }

    @Test
    void downgradeStopsAtReleaseOfTheCatalogueInBetween() {
        assertThat(Releases.KNOWN.path(v("3.7.1"), v("3.5.30"), List.of()))
                .isInstanceOfSatisfying(
                        UpgradePath.Hops.class,
                        hops -> assertThat(hops.versions())
                                .extracting(EtcdVersion::minor)
                                .containsExactly(6, 5));
    }

    @Test
    void refusesDowngradeToBannedOrOverUnknownRelease() {
        assertThat(Releases.KNOWN.path(v("3.6.14"), v("3.5.2"), List.of())).isInstanceOf(UpgradePath.None.class);
        assertThat(Releases.KNOWN.path(v("3.99.0"), v("3.97.0"), List.of()))
                .isInstanceOfSatisfying(
                        UpgradePath.None.class,
                        none -> assertThat(none.reason()).contains("spec.rollout.via"));
    }

    @Test
    void refusesUpgradeThroughBannedRelease() {
        assertThat(Releases.KNOWN.path(v("3.4.23"), v("3.5.30"), List.of(v("3.5.1"))))
                .isInstanceOfSatisfying(
                        UpgradePath.None.class,
                        none -> assertThat(none.reason()).contains("13766"));
        assertThat(Releases.KNOWN.path(v("3.5.3"), v("3.5.2"), List.of())).isInstanceOf(UpgradePath.None.class);
    }

    @ParameterizedTest
    @CsvSource({
        "3.5.0, true",
        "3.5.2, true",
        "3.5.3, false",
        "3.4.37, false",
        "3.6.0, true",
        "3.6.3, true",
        "3.6.4, false"
    })
    void someReleasesMustNotRun(String version, boolean banned) {
        assertThat(Releases.KNOWN.ban(v(version)).isPresent()).isEqualTo(banned);
    }

    @ParameterizedTest
    @CsvSource({"3.2.32, false", "3.3.0, true", "3.6.99, true", "3.7.0, true", "3.8.0, false", "4.3.0, false"})
    void knowsItsLines(String version, boolean known) {
        assertThat(Releases.KNOWN.knows(v(version))).isEqualTo(known);
    }

    @ParameterizedTest
    @CsvSource({
        "GHSA-6vch-q96h-7gc3, 3.3.27, true",
        "GHSA-6vch-q96h-7gc3, 3.4.45, true",
        "GHSA-6vch-q96h-7gc3, 3.5.32, true",
        "GHSA-6vch-q96h-7gc3, 3.5.33, false",
        "GHSA-6vch-q96h-7gc3, 3.6.13, true",
        "GHSA-6vch-q96h-7gc3, 3.6.14, false",
        "GHSA-6vch-q96h-7gc3, 3.7.0, true",
        "GHSA-6vch-q96h-7gc3, 3.7.1, false",
        "GHSA-q8m4-xhhv-38mg, 3.4.42, false",
        "GHSA-q8m4-xhhv-38mg, 3.6.8, true",
        "GHSA-q8m4-xhhv-38mg, 3.7.0, false",
        "CVE-2021-28235, 3.6.0, false",
        "CVE-2021-28235, 3.5.7, true"
    })
    void advisoryIsInReleasesBeforeItsFix(String id, String version, boolean in) {
        var advisory = Releases.KNOWN.advisories().stream()
                .filter(a -> a.id().equals(id))
                .findFirst()
                .orElseThrow();

        assertThat(advisory.isIn(v(version))).isEqualTo(in);
    }

    @ParameterizedTest
    @CsvSource({
        "3.5.30, TLS,      GHSA-6vch-q96h-7gc3",
        "3.5.30, '',       ''",
        "3.5.33, TLS AUTH, ''",
        "3.5.30, AUTH,     GHSA-xg4h-6gfc-h4m8",
        "3.6.12, CRL,      GHSA-3wh4-j44w-pg92",
        "3.7.0,  AUTH,     GHSA-xg4h-6gfc-h4m8"
    })
    void advisoryHitsRingsWithWhatItNeeds(String version, String has, String ids) {
        assertThat(Releases.KNOWN.advisories(v(version), needs(has)))
                .extracting(Advisory::id)
                .isEqualTo(ids.isEmpty() ? List.of() : List.of(ids.split(" ")));
    }

    private static Set<Advisory.Need> needs(String words) {
        return words.isEmpty()
                ? Set.of()
                : Arrays.stream(words.split(" ")).map(Advisory.Need::valueOf).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @CsvSource({
        "3.5.30, TLS,      3.5.33",
        "3.4.45, TLS,      3.5.33",
        "3.6.4,  TLS AUTH, 3.6.14",
        "3.7.0,  TLS,      3.7.1"
    })
    void namesSmallestReleaseWithoutAdvisories(String version, String has, String good) {
        var hitting = Releases.KNOWN.advisories(v(version), needs(has));

        assertThat(Releases.KNOWN.smallestGood(v(version), hitting)).contains(v(good));
    }

    @ParameterizedTest
    @CsvSource({
        "3.3.25, debug,                              true",
        "3.5.30, debug,                              false",
        "3.6.14, experimental-initial-corrupt-check, true",
        "3.7.1,  experimental-initial-corrupt-check, false",
        "3.5.30, feature-gates,                      false",
        "3.6.14, feature-gates,                      true",
        "3.3.25, pre-vote,                           false",
        "3.7.1,  data-dir,                           true",
        "3.7.1,  moon-phase,                         false"
    })
    void knowsSettingsOfEachLine(String version, String name, boolean has) {
        assertThat(Releases.KNOWN.hasSetting(v(version), name)).isEqualTo(has);
    }

    /// What replaces a setting exists where the setting is gone.
    @Test
    void replacementsExistInTheNewestLine() {
        Releases.KNOWN.replaced().forEach((name, instead) -> {
            assertThat(Releases.KNOWN.hasSetting(v("3.7.1"), name)).as(name).isFalse();
            String setting = instead.endsWith("of feature-gates") ? "feature-gates" : instead;
            assertThat(Releases.KNOWN.hasSetting(v("3.7.1"), setting))
                    .as(instead)
                    .isTrue();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "3.5.30, TLS,      3.5.33",
        "3.5.16, TLS,      3.5.33",
        "3.5.27, AUTH,     3.5.33",
        "3.6.4,  TLS,      3.6.14",
        "3.7.0,  TLS,      3.7.1",
        "3.4.23, AUTH,     3.4.44",
        "3.4.45, TLS,      ''",
        "3.4.23, TLS,      ''",
        "3.3.25, TLS,      ''",
    })
    void patchIsOfTheSameLine(String version, Advisory.Need need, String patch) {
        var hitting = Releases.KNOWN.advisories(v(version), Set.of(need));

        assertThat(hitting).isNotEmpty();
        assertThat(Releases.KNOWN.patch(v(version), hitting).stream().toList()).isEqualTo(versions(patch));
    }
}
