package io.github.etcdgitops.ring.founding;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Stage;
import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.journal.MemberSettings;
import org.junit.jupiter.api.Test;

class BootstrapClusterTest {
    private final BootstrapCluster founding = new BootstrapCluster(
            ORDERS,
            3,
            new EtcdVersion(3, 5, 16),
            Tls.NONE,
            Blueprint.of(spec(3), MemberSettings.founding(spec(3).server(), new EtcdVersion(3, 5, 16))));

    @Test
    void appliesToARingOfWhichNothingIsThere() {
        var state = fresh(Given.absent("demo", "orders").build(), spec(3));

        assertThat(BootstrapCluster.detect(spec(3), state)).contains(founding);
    }

    @Test
    void doesNotApplyOverClaimsOrToAFoundedRing() {
        var claims = Given.ring("demo", "orders").claimsLeft();
        var founded = Given.ring("demo", "orders");

        assertThat(BootstrapCluster.detect(spec(3), fresh(claims.build(), spec(3))))
                .isEmpty();
        assertThat(BootstrapCluster.detect(spec(3), fresh(founded.build(), spec(3))))
                .isEmpty();
    }

    @Test
    void goesOnAsItWasBegun() {
        var begun = Given.ring("demo", "orders").inFounding(Stage.Found.HALF_SEALED);

        assertThat(BootstrapCluster.detect(spec(5), fresh(begun.build(), spec(5))))
                .contains(new BootstrapCluster(
                        ORDERS,
                        3,
                        new EtcdVersion(3, 5, 16),
                        Tls.NONE,
                        new BootstrapCluster.Stage.Begun(),
                        Blueprints.ANY));
    }

    @Test
    void letsClientsInOnlyAfterEveryMemberIsSealed() {
        var clients = founding.steps().stream()
                .filter(s -> s instanceof ObjectStep.ApplyObjects(var objects)
                        && objects.contains(ManagedObject.CLIENT_SERVICE))
                .findFirst()
                .orElseThrow();

        assertThat(founding.steps().indexOf(clients))
                .isGreaterThan(StepOrder.last(founding, MemberStep.SealMember.class));
        assertThat(founding.steps())
                .filteredOn(s -> s instanceof MemberStep.SealMember)
                .hasSize(3);
    }

    @Test
    void recordsTheRingBeforeAnyMemberIsSealed() {
        assertThat(StepOrder.first(founding, FoundStep.RecordRing.class))
                .isLessThan(StepOrder.first(founding, MemberStep.SealMember.class));
        assertThat(StepOrder.first(founding, FoundStep.OpenJournal.class)).isZero();
    }
}
