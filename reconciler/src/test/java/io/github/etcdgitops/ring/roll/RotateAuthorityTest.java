package io.github.etcdgitops.ring.roll;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.tls.TlsStep;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.spec.value.Transport.Mode;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RotateAuthorityTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    private static final Transport MUTUAL = new Transport(Mode.MUTUAL, Mode.MUTUAL);
    private static final Authorities BOTH = Authorities.FIRST.joinedBy(2);
    private static final Authorities SECOND = Authorities.of(2);

    private static RotateAuthority rotation(Authorities from, Authorities to, Tls.Issuer issuer, int begun) {
        var former = new MemberSettings(new EtcdVersion(3, 5, 16), new TreeMap<>())
                .with(MUTUAL)
                .with(from);
        return new RotateAuthority(
                ORDERS,
                new Roll(3, begun, former, Blueprints.of(former.with(to)), Duration.ZERO),
                new Tls(MUTUAL, issuer, Tls.YEAR),
                0);
    }

    private static RotateAuthority rotation(Authorities from, Authorities to) {
        return rotation(from, to, Tls.Issuer.BUILT_IN, 3);
    }

    @Test
    void restartsNoMemberBeforeSecretsHaveBothCas() {
        assertThat(StepOrder.names(rotation(Authorities.FIRST, BOTH)))
                .startsWith("PrepareAuthority", "IssueCertificates", "ApplyObjects", "BeginRoll");
    }

    @Test
    void eachMemberIsProvedToTrustInTheNewOneBeforeTheNextIsRestarted() {
        var steps = rotation(Authorities.FIRST, BOTH).steps();

        for (int ordinal = 0; ordinal < 3; ordinal++) {
            int restarted = steps.indexOf(new RollStep.RestartMember(ordinal));
            int proved = steps.indexOf(new TlsStep.ProveTrust(ordinal, MUTUAL));
            assertThat(List.of(restarted, proved)).isSorted().doesNotContain(-1);
            if (ordinal > 0) {
                assertThat(proved).isLessThan(steps.indexOf(new RollStep.RestartMember(ordinal - 1)));
            }
        }
    }

    @Test
    void newCaSignsOnlyWhenEveryMemberTrustsIt() {
        var rotation = rotation(BOTH, SECOND);

        assertThat(StepOrder.last(rotation, TlsStep.ProveTrust.class))
                .isLessThan(StepOrder.first(rotation, TlsStep.ReplaceAuthority.class));
        assertThat(StepOrder.first(rotation, TlsStep.ProveTrust.class)).isZero();
    }

    @Test
    void dropsFormerCaOnlyWhenAllMembersShowNewOne() {
        var steps = rotation(BOTH, SECOND).steps();
        var tls = new Tls(MUTUAL, Tls.Issuer.BUILT_IN, Tls.YEAR);
        int issued = steps.indexOf(new TlsStep.IssueCertificates(tls, BOTH));
        int dropped = steps.indexOf(new TlsStep.IssueCertificates(tls, SECOND));
        int replaced = steps.indexOf(new TlsStep.ReplaceAuthority(2));

        assertThat(List.of(replaced, issued, dropped)).isSorted().doesNotContain(-1);
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            assertThat(steps.indexOf(new TlsStep.AwaitAuthority(ordinal, MUTUAL)))
                    .isBetween(issued, dropped);
        }
        assertThat(steps.indexOf(new RollStep.RestartMember(2))).isGreaterThan(dropped);
    }

    /// Once members are restarted to trust in the new one alone, nothing else may be signed by the
    /// former.
    @Test
    void continuesWithoutStartingAgain() {
        assertThat(StepOrder.names(rotation(BOTH, SECOND, Tls.Issuer.BUILT_IN, 2)))
                .startsWith("IssueCertificates", "BeginRoll")
                .doesNotContain("ReplaceAuthority", "AwaitAuthority");
        assertThat(StepOrder.names(rotation(Authorities.FIRST, BOTH, Tls.Issuer.BUILT_IN, 2)))
                .doesNotContain("PrepareAuthority");
    }

    @Test
    void loadsExternalAuthorityInOneRollout() {
        assertThat(StepOrder.names(rotation(Authorities.FIRST, SECOND, Tls.Issuer.SECRET, 3)))
                .startsWith("IssueCertificates", "BeginRoll")
                .doesNotContain("PrepareAuthority", "ReplaceAuthority", "ProveTrust");
    }

    @Test
    void saysThatReplacedAuthorityCannotBeUndone() {
        Step replace = new TlsStep.ReplaceAuthority(2);

        assertThat(replace.undo(ORDERS)).startsWith("no");
    }

    @Test
    void eachHalfOfRotationHasItsOwnId() {
        assertThat(rotation(Authorities.FIRST, BOTH).id())
                .isNotEqualTo(rotation(BOTH, SECOND).id());
        assertThat(rotation(BOTH, SECOND).id())
                .isEqualTo(rotation(BOTH, SECOND, Tls.Issuer.BUILT_IN, 1).id());
    }
}
