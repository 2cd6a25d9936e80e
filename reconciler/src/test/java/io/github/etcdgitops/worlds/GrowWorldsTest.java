package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.worlds.Case.Expect;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Every small ring whose volumes grow, with members unwell in each way, and with one more failure at any
/// point.
class GrowWorldsTest {
    private static List<Case> growing() {
        var cases = new ArrayList<Case>();
        for (int size = 1; size <= Worlds.LARGEST; size++) {
            for (boolean offline : List.of(false, true)) {
                cases.add(GrowPlaysTest.growing(
                        "volumes of " + size + (offline ? ", mounted anew" : ""),
                        size,
                        offline,
                        Given.spec(Play.REF, size, "3.5.16")));
            }
        }
        return cases;
    }

    @Test
    void neverHarmsRingsWithUnhealthyMembers() {
        var cases = new ArrayList<Case>();
        growing().forEach(world -> RollWorlds.addUnwell(cases, world));
        assertThat(cases).anyMatch(c -> c.expect() instanceof Expect.ConvergesOnceMended);

        assertThat(Judge.wrong(Case.sample(cases, 400))).isEmpty();
    }

    @Test
    void oneMoreFailureAtAnyPointHarmsNothing() {
        assertThat(OneMore.wrong(growing(), 1_000)).isEmpty();
    }
}
