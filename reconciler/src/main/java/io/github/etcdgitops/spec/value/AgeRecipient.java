package io.github.etcdgitops.spec.value;

import java.util.Optional;

/// The syntax of an age public key (`age1…`): Bech32 over the 32 bytes of an X25519 key. Checked when
/// documents are read, so that a typing error is found then, and not when the first backup is due.
public final class AgeRecipient {
    private static final String PREFIX = "age1";
    private static final String CHARACTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    /// 32 bytes in characters of five bits, and six characters of checksum.
    private static final int LENGTH = PREFIX.length() + 52 + 6;

    private static final int[] GENERATOR = {0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3};

    private AgeRecipient() {}

    /// What is wrong with the text; empty where it is a recipient. The text is not repeated: it may be a
    /// misplaced secret key.
    public static Optional<String> fault(String text) {
        if (text.regionMatches(true, 0, "AGE-SECRET-KEY-", 0, "AGE-SECRET-KEY-".length())) {
            return Optional.of("this is the secret key: remove it from Git at once, create a new key, and use its"
                    + " public key, which begins with age1");
        }
        if (!text.startsWith(PREFIX)) {
            return Optional.of("an age recipient begins with age1, in lower case");
        }
        if (text.length() != LENGTH) {
            return Optional.of("an age recipient has " + LENGTH + " characters, not " + text.length());
        }
        int checksum = mix(mix(mix(mix(mix(mix(mix(1, 3), 3), 3), 0), 'a' & 31), 'g' & 31), 'e' & 31);
        for (int i = PREFIX.length(); i < LENGTH; i++) {
            int value = CHARACTERS.indexOf(text.charAt(i));
            if (value < 0) {
                return Optional.of("character " + (i + 1) + " cannot be part of an age recipient");
            }
            checksum = mix(checksum, value);
        }
        return checksum == 1
                ? Optional.empty()
                : Optional.of("the checksum is wrong: a character was changed, lost or swapped");
    }

    private static int mix(int checksum, int value) {
        int mixed = (checksum & 0x1ffffff) << 5 ^ value;
        for (int i = 0; i < GENERATOR.length; i++) {
            if ((checksum >>> (25 + i) & 1) == 1) {
                mixed ^= GENERATOR[i];
            }
        }
        return mixed;
    }
}
