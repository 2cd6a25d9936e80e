package io.github.etcdgitops.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.value.Glob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {
    @ParameterizedTest
    @CsvSource({
        "team-a,team-a,true",
        "team-a,team-ab,false",
        "team-a,team-A,false",
        "team-a-*,team-a-,true",
        "team-a-*,team-a-x-y,true",
        "team-a-*,team-a,false",
        "*,kube-system,true",
        "*-db,orders-db,true",
        "*-db,orders-db2,false",
        "a*b*c,aXbYc,true",
        "a*b*c,acb,false",
        "te.m,team,false",
    })
    void matchesWholeNames(String pattern, String name, boolean expected) {
        assertThat(new Glob(pattern).matches(name)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "team-*,team-a,true",
        "team-a*,team-ab*,true",
        "team-a-*,team-b-*,false",
        "*-a,b-*,true",
        "*-a,*-b,false",
        "a*,*,true",
        "a*c,ab*d,false",
    })
    void knowsWhetherTwoPatternsShareAName(String one, String other, boolean expected) {
        assertThat(new Glob(one).overlaps(new Glob(other))).isEqualTo(expected);
        assertThat(new Glob(other).overlaps(new Glob(one))).isEqualTo(expected);
    }

    @Test
    void answersManyStarsAtOnce() {
        assertThat(new Glob("*a".repeat(31) + "b").matches("a".repeat(63))).isFalse();
    }
}
