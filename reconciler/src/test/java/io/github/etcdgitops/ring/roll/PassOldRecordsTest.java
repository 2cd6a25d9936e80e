package io.github.etcdgitops.ring.roll;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.roll.v2.PassOldRecords;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PassOldRecordsTest {
    private static List<String> steps(String from, String to, int left) {
        var roll = new Roll(3, left, settings(from), Blueprints.of(settings(to)), Duration.ZERO);
        return StepOrder.names(new UpgradeVersion(ORDERS, roll, 0));
    }

    private static MemberSettings settings(String version) {
        return new MemberSettings(EtcdVersion.parse(version).orElseThrow(), new TreeMap<>());
    }

    @Test
    void precedesTheFirstRestartOnALaterVersion() {
        assertThat(steps("3.5.33", "3.6.14", 3))
                .startsWith("PassOldRecords", "FindOldKeys", "BeginRoll", "BlockEvictions", "WriteTemplate");
    }

    @ParameterizedTest
    @CsvSource({"3.4.23, 3.5.33", "3.5.16, 3.5.33", "3.6.14, 3.7.1"})
    void isNoStepOfOtherUpgrades(String from, String to) {
        assertThat(steps(from, to, 3)).doesNotContain("PassOldRecords", "FindOldKeys");
    }

    @Test
    void isNotRepeatedOnceMembersWereRestarted() {
        assertThat(steps("3.5.33", "3.6.14", 2)).doesNotContain("PassOldRecords", "FindOldKeys");
    }

    /// A snapshot follows after more entries than that.
    @Test
    void dependsOnTheSettingOfTheRunningMembers() {
        var usual = PassOldRecords.of(settings("3.5.33"));
        var often = PassOldRecords.of(
                new MemberSettings(new EtcdVersion(3, 5, 33), new TreeMap<>(Map.of("snapshotCount", 10_000))));

        assertThat(usual.snapshotCount()).isEqualTo(100_000);
        assertThat(often.snapshotCount()).isEqualTo(10_000);
        assertThat(often.due(50)).isGreaterThan(10_050);
        assertThat(often.text(ORDERS)).contains(String.valueOf(often.most()));
    }
}
