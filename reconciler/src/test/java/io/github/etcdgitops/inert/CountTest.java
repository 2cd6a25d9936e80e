package io.github.etcdgitops.inert;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountTest {
    @Test
    void oneIsSingularAndAllOtherNumbersArePlural() {
        assertThat(Count.of(0, "member")).isEqualTo("0 members");
        assertThat(Count.of(1, "member")).isEqualTo("1 member");
        assertThat(Count.of(2, "member")).isEqualTo("2 members");
    }
}
