package io.github.etcdgitops.fake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// Secrets that are planted where secrets come from, and are known again wherever they turn up: as they are, in a URL,
/// in Base64 of either alphabet wherever it begins, in hexadecimal digits, in another case, or more than half of one.
/// They look like words, so that nothing hides them for their looks.
public final class Marks {
    private static final String LETTERS = "abcdefghijkmnpqrstuvwxyz";
    private static final int LENGTH = 24;
    private static final int PART = 14;

    private final SecureRandom random = new SecureRandom();
    private final Map<String, String> planted = new LinkedHashMap<>();
    private final Map<String, List<String>> forms = new LinkedHashMap<>();

    /// A new one. `where` says what it is when it is found.
    public synchronized String plant(String where) {
        var word = new StringBuilder();
        for (int i = 0; i < LENGTH; i++) {
            word.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return known(where, word.toString());
    }

    /// One that somebody else has made.
    public synchronized String known(String where, String secret) {
        planted.put(secret, where);
        forms.put(secret, forms(secret));
        return secret;
    }

    private static List<String> forms(String secret) {
        var forms = new ArrayList<>(List.of(
                secret.substring(0, Math.min(PART, secret.length())),
                secret.substring(Math.max(0, secret.length() - PART)),
                HexFormat.of().formatHex(secret.getBytes(US_ASCII))));
        for (int before = 0; before < 3; before++) {
            byte[] bytes = (" ".repeat(before) + secret).getBytes(US_ASCII);
            // The first and the last group also hang on what stands beside it.
            int whole = bytes.length / 3 * 3;
            String text = Base64.getEncoder()
                    .withoutPadding()
                    .encodeToString(Arrays.copyOfRange(bytes, before == 0 ? 0 : 3, whole));
            forms.add(text);
            forms.add(text.replace('+', '-').replace('/', '_'));
        }
        return forms.stream()
                .map(form -> form.toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
    }

    public synchronized int size() {
        return planted.size();
    }

    /// Where those come from that are in these bytes.
    public synchronized SortedSet<String> in(byte[] bytes) {
        String text = new String(bytes, ISO_8859_1).toLowerCase(Locale.ROOT);
        var found = new TreeSet<String>();
        forms.forEach((secret, shapes) -> {
            if (shapes.stream().anyMatch(text::contains)) {
                found.add(planted.getOrDefault(secret, ""));
            }
        });
        return found;
    }
}
