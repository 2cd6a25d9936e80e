package io.github.etcdgitops.ring.roll;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RollMembersTest {
    private static final MemberSettings TARGET = new MemberSettings(new EtcdVersion(3, 5, 16), new TreeMap<>());

    private static RollMembers roll(int size, String template, int attempt) {
        return new RollMembers(
                ORDERS,
                new Roll(size, size, TARGET, Blueprints.of(TARGET), Duration.ZERO),
                template,
                List.of("container.resources"),
                attempt,
                List.of());
    }

    @Test
    void anotherTemplateOrAttemptIsAnotherOperation() {
        assertThat(roll(3, "a=1", 0).id())
                .isNotEqualTo(roll(3, "a=2", 0).id())
                .isNotEqualTo(roll(3, "a=1", 1).id())
                .isEqualTo(roll(5, "a=1", 0).id());
    }

    @Test
    void saysWhatChanges() {
        assertThat(roll(3, "a=1", 0).summary())
                .isEqualTo("restart orders-2, orders-1, orders-0 with another container.resources");
    }

    @Test
    void namesOptionsWithTheirValues() {
        var former = new TreeMap<String, Object>(Map.of("snapshot-count", 10_000, "max-txn-ops", 128));
        var target = new TreeMap<String, Object>(Map.of("snapshot-count", 20_000, "heartbeat-interval", 200));
        var roll = new Roll(3, 3, applied(former), Blueprints.of(applied(target)), Duration.ZERO);

        assertThat(new RollMembers(ORDERS, roll, "a=1", List.of("annotations"), 0, List.of()).summary())
                .isEqualTo("restart orders-2, orders-1, orders-0 with heartbeat-interval 200,"
                        + " max-txn-ops as etcd has it (was 128), snapshot-count 20000 (was 10000)");
    }

    private static MemberSettings applied(TreeMap<String, Object> options) {
        return new MemberSettings(new EtcdVersion(3, 5, 16), options);
    }

    @Test
    void canBeTakenBackAndNeedsNoBackup() {
        assertThat(roll(3, "a=1", 0).needsBackup()).isFalse();
        assertThat(roll(3, "a=1", 0).risk()).isEqualTo(Risk.MEDIUM);
        assertThat(roll(2, "a=1", 0).risk()).isEqualTo(Risk.HIGH);
        assertThat(StepOrder.names(roll(3, "a=1", 0))).doesNotContain("AwaitClusterVersion");
    }
}
