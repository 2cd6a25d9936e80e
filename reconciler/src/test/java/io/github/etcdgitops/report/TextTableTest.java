package io.github.etcdgitops.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.report.table.TextTable;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void everyColumnIsAsWideAsItsWidestCell() {
        var table = new TextTable(
                List.of("RING", "SIZE", "STATE"),
                List.of(List.of("payments/orders", "1", "verified"), List.of("a/b", "1000 MiB", "")));

        assertThat(table.text(Style.PLAIN)).hasToString("""
            RING             SIZE      STATE
            payments/orders  1         verified
            a/b              1000 MiB
            """);
    }

    @Test
    void withoutRowsTheTitlesStandAlone() {
        assertThat(new TextTable(List.of("RING", "SIZE"), List.of()).text(Style.PLAIN))
                .hasToString("RING  SIZE\n");
    }
}
