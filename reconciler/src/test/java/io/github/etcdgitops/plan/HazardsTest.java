package io.github.etcdgitops.plan;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Releases;
import io.github.etcdgitops.fake.Samples;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.adoption.AdoptCluster;
import io.github.etcdgitops.ring.auth.Users;
import io.github.etcdgitops.ring.maintenance.FreeSpace;
import io.github.etcdgitops.ring.maintenance.MaintainMember;
import io.github.etcdgitops.ring.roll.MigrateTls;
import io.github.etcdgitops.ring.scale.ScaleOut;
import io.github.etcdgitops.spec.release.Hazard;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each hazard of the catalogue stops its operations on the bad releases alone, and only while it shows.
class HazardsTest {
    private static final List<Class<? extends Operation>> OPERATIONS =
            List.of(MaintainMember.class, FreeSpace.class, MigrateTls.class, AdoptCluster.class);

    private static Operation operation(String kind) {
        return OPERATIONS.stream()
                .filter(type -> type.getSimpleName().equals(kind))
                .map(type -> (Operation) Samples.of(type))
                .findFirst()
                .orElseThrow();
    }

    private static Hazards of(String version, boolean learner) {
        var given = Given.ring("demo", "orders").version(version);
        var spec = Given.spec(ORDERS, 3, version);
        return new Hazards(spec, fresh((learner ? given.learner() : given).build(), spec));
    }

    private static Hazard hazard(String id) {
        return Releases.KNOWN.hazards().stream()
                .filter(h -> h.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "crash-in-defragmentation, MaintainMember, 3.5.5, 3.5.6",
        "snapshot-beside-defragmentation, MaintainMember, 3.4.37, 3.4.38",
        "snapshot-beside-defragmentation, MaintainMember, 3.5.22, 3.5.23",
        "snapshot-beside-defragmentation, MaintainMember, 3.6.4, 3.6.5",
        "snapshot-beside-defragmentation, FreeSpace, 3.5.22, 3.5.23",
        "member-update-forgets-learner, MigrateTls, 3.5.30, 3.5.31",
        "member-update-forgets-learner, MigrateTls, 3.6.11, 3.6.12",
        "member-update-forgets-learner, AdoptCluster, 3.4.45, 3.5.31",
    })
    void holdsOperationOnBadReleaseWithReasonAndRemedy(String id, String kind, String bad, String good) {
        var hazard = hazard(id);
        boolean always = hazard.during() == Hazard.While.ALWAYS;

        assertThat(of(bad, true).forbidding(operation(kind))).contains(hazard.text());
        assertThat(of(bad, false).forbidding(operation(kind)).isPresent()).isEqualTo(always);
        assertThat(of(good, true).forbidding(operation(kind))).isNotEqualTo(Optional.of(hazard.text()));
    }

    /// A member that joins would get other data.
    @ParameterizedTest
    @CsvSource({"3.4.21, 3.4.22", "3.5.5, 3.5.6"})
    void holdsJoinsOnReleasesThatCannotWithAuthentication(String bad, String good) {
        var joins = (Operation) Samples.of(ScaleOut.class);
        String text = hazard("member-added-with-auth").text();

        assertThat(withUsers(bad).forbidding(joins)).contains(text);
        assertThat(of(bad, false).forbidding(joins)).isEmpty();
        assertThat(withUsers(good).forbidding(joins)).isEmpty();
    }

    private static Hazards withUsers(String version) {
        var spec = Given.spec(ORDERS, 3, version).with(Optional.of(Users.APP));
        return new Hazards(
                spec, fresh(Given.ring("demo", "orders").version(version).build(), spec));
    }

    @ParameterizedTest
    @CsvSource({"crash-in-defragmentation, FreeSpace, 3.5.5, 3.5.6"})
    void warnsOfWhatItCannotForbid(String id, String kind, String bad, String good) {
        var operation = operation(kind);

        assertThat(of(bad, false).forbidding(operation)).isEmpty();
        assertThat(of(bad, false).warning(operation))
                .contains(operation.summary() + ": " + hazard(id).text());
        assertThat(of(good, false).warning(operation)).isEmpty();
    }
}
