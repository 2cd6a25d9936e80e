package io.github.etcdgitops.report;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Part;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.report.table.RetainedTable;
import io.github.etcdgitops.worlds.DeletedRing;
import org.junit.jupiter.api.Test;

class RetainedTableTest {
    private static RetainedTable of(FakeWorld world) {
        return RetainedTable.of(world.kubernetes().list(_ -> true));
    }

    private static String human(FakeWorld world) {
        return of(world).human(Style.PLAIN).toString();
    }

    @Test
    void listsEachClaimOfDeletedRing() {
        var world = DeletedRing.of(3);
        String id = world.look(ORDERS).clusterId().orElseThrow().toString();

        assertThat(human(world).lines())
                .hasSize(10)
                .filteredOn(line -> line.contains("data-orders-"))
                .hasSize(3)
                .allMatch(line -> line.contains("demo/orders")
                        && line.contains(id)
                        && line.contains("3.5.16")
                        && line.contains("2026-01-01T")
                        && line.contains("Bound")
                        && line.contains("the team has moved"));
        assertThat(of(world).json())
                .contains("\"kind\" : \"RetainedVolumes\"", "\"clusterId\" : \"" + id + "\"", "data-orders-2");
        assertThat(of(world).markdown().lines())
                .filteredOn(line -> line.startsWith("| "))
                .hasSize(8);
    }

    /// A ring that is there has volumes as well, and these are in use.
    @Test
    void existingRingIsNotListed() {
        var world = Given.ring("demo", "orders").build();

        assertThat(human(world)).startsWith("No volume, journal or members' file of a deleted ring is left.");
        assertThat(of(world).rows()).isEmpty();
    }

    @Test
    void namesFaultOfEachClaim() {
        var world = DeletedRing.lacking(1);
        world.faults(ORDERS).loseVolume(0);
        world.faults(ORDERS).copyClaim(2);

        assertThat(human(world).lines())
                .anyMatch(line -> line.contains("data-orders-0") && line.contains("Lost"))
                .anyMatch(line -> line.contains("data-orders-1") && line.contains("gone"))
                .anyMatch(line -> line.contains("data-orders-2") && line.contains("another claim"));
    }

    @Test
    void claimsThatCannotBeReadAreNotCalledGone() {
        var world = DeletedRing.of(3);
        world.faults(ORDERS).unreadable(Part.CLAIMS);

        assertThat(human(world)).contains("could not be read").doesNotContain("gone");
    }
}
