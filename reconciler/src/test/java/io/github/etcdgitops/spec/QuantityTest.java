package io.github.etcdgitops.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.value.Quantity;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({"8Gi,8589934592", "1.5Ki,1536", "2k,2000", "1e3,1000", "5000m,5", "7,7", "1Ei,1152921504606846976"})
    void readsWhatKubernetesReads(String text, long bytes) {
        assertThat(Quantity.parse(text).flatMap(Quantity::wholeBytes)).contains(bytes);
    }

    /// Few digits are read in another way than many.
    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "0017", "999999", "1000000", "8388607", "9999999999"})
    void readsFewAndManyDigits(String digits) {
        var power = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi");
        for (int at = 0; at < power.size(); at++) {
            var value = new BigDecimal(digits).multiply(BigDecimal.TWO.pow(10 * at));

            assertThat(Quantity.parse(digits + power.get(at))).contains(new Quantity(value));
        }
    }

    /// Documents may have a sign, and an API server writes small amounts so.
    @ParameterizedTest
    @CsvSource({
        "+2,2",
        "-0,0",
        "5.,5",
        ".5,0.5",
        "100u,0.0001",
        "7n,0.000000007",
        "1e-3,0.001",
        "1E+2,100",
        "0.1234567890123,0.1234567890123"
    })
    void readsEachSpelling(String text, BigDecimal value) {
        assertThat(Quantity.parse(text)).get().extracting(Quantity::value).matches(read -> value.compareTo(read) == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8GB", "8gi", "8 Gi", "-8Gi", "Gi", ".", "+", "-1m", "8Gi\n", "1e", "1e+"})
    void refusesWhatKubernetesRefuses(String text) {
        assertThat(Quantity.parse(text)).isEmpty();
    }

    @Test
    void hasNoWholeBytesForFractionsAndTooMuch() {
        assertThat(Quantity.parse("1m").flatMap(Quantity::wholeBytes)).isEmpty();
        assertThat(Quantity.parse("1000Ei").flatMap(Quantity::wholeBytes)).isEmpty();
    }

    @Test
    void takesPercentagesRoundedDown() {
        assertThat(Quantity.parse("10").orElseThrow().percent(65).wholeBytes()).contains(6L);
    }

    @Test
    void knowsWhatIsBeyondKubernetes() {
        assertThat(Quantity.parse("99999999999999999999")).get().matches(Quantity::isMoreThanFits);
        assertThat(Quantity.parse("16Ei")).get().matches(Quantity::isMoreThanFits);
        assertThat(Quantity.parse("7Ei")).get().matches(quantity -> !quantity.isMoreThanFits());
    }
}
