package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.ring.Repairs.Mode;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Whatever two faults befall a ring in the midst of a change, there is a way out. More plays with
/// `-Dfaults.plays=N`, other ones with `-Dfaults.seed=N`, of some changes alone with `-Dfaults.starts=REGEX` over their
/// names, and some plays again
/// with `-Dfaults.again=REGEX` over what was printed of them.
class TwoFaultsPlaysTest {
    private static final int PLAYS = 120;
    private static final int OF_OTHERS = 60;

    @Test
    void recoversFromAnyTwoFaults() {
        assertThat(wrong(PLAYS, TwoFaults::starts))
                .as("rings without a way out")
                .isEmpty();
    }

    @Test
    void recoversFromTwoFaultsInOtherSizesAndOlderEtcd() {
        assertThat(wrong(OF_OTHERS, TwoFaults::others))
                .as("rings without a way out")
                .isEmpty();
    }

    private static List<String> wrong(int most, Function<Mode, List<Case>> starts) {
        var scenarios = TwoFaults.sample(Integer.getInteger("faults.plays", most), starts);
        var again = Pattern.compile(System.getProperty("faults.again", ""));
        long began = System.nanoTime();

        var wrong = Judge.onAllCores(() -> scenarios.parallelStream()
                .filter(scenario -> again.matcher(scenario.toString()).find())
                .map(TwoFaults::played)
                .filter(found -> !found.isEmpty())
                .map(List::getFirst)
                .toList());

        System.out.println("two faults: " + scenarios.size() + " plays, " + wrong.size() + " wrong, "
                + (System.nanoTime() - began) / 1_000_000 + " ms");
        wrong.forEach(System.out::println);
        return wrong;
    }
}
