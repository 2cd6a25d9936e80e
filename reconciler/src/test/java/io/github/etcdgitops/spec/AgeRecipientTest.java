package io.github.etcdgitops.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.value.AgeRecipient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgeRecipientTest {
    /// Made by age-keygen for this test.
    private static final String RECIPIENT = "age1v3zmwkwelx0h3ejh2xth9wsntey58xd5tsfrdtvvwwup8972s9kqu94h6q";

    @Test
    void acceptsWhatAgeKeygenMade() {
        assertThat(AgeRecipient.fault(RECIPIENT)).isEmpty();
    }

    @Test
    void noticesEverySingleChangedCharacter() {
        for (int i = 0; i < RECIPIENT.length(); i++) {
            char other = RECIPIENT.charAt(i) == 'q' ? 'p' : 'q';
            String changed = RECIPIENT.substring(0, i) + other + RECIPIENT.substring(i + 1);

            assertThat(AgeRecipient.fault(changed)).as(changed).isPresent();
        }
    }

    @Test
    void noticesEveryPairThatWasSwapped() {
        for (int i = 4; i + 1 < RECIPIENT.length(); i++) {
            char first = RECIPIENT.charAt(i);
            char second = RECIPIENT.charAt(i + 1);
            String swapped = RECIPIENT.substring(0, i) + second + first + RECIPIENT.substring(i + 2);

            assertThat(AgeRecipient.fault(swapped).isEmpty()).as(swapped).isEqualTo(first == second);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "age1", "ssh-ed25519 AAAA", "AGE1QL3Z7HJY54PW3HYWW5AYYFG7ZQGVC7W3J2ELW8ZMRJ2KG5SFN9A"})
    void refusesWhatIsNoRecipient(String text) {
        assertThat(AgeRecipient.fault(text)).isPresent();
    }

    @Test
    void neverRepeatsSecretKey() {
        String secret = "AGE-SECRET-KEY-1NEVERMADE";

        assertThat(AgeRecipient.fault(secret))
                .hasValueSatisfying(
                        fault -> assertThat(fault).contains("secret key").doesNotContain("NEVERMADE"));
    }
}
