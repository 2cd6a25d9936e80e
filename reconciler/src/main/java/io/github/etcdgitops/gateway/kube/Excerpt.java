package io.github.etcdgitops.gateway.kube;

/// The line of somebody else's output that says most, fit to be printed.
final class Excerpt {
    private static final int LONGEST = 300;

    private Excerpt() {}

    /// The last line that reads like an error, else the last one; without control characters, and cut.
    static String of(String text) {
        String last = "";
        String error = "";
        for (String line : text.split("\\R")) {
            String plain = line.replaceAll("[\\p{Cntrl}\\p{Cf}\\p{Co}\\p{Cs}\\p{Cn}]", " ")
                    .strip();
            if (!plain.isEmpty()) {
                last = plain;
                error = plain.matches("(?i)(error|panic|fatal).*") ? plain : error;
            }
        }
        String chosen = error.isEmpty() ? last : error;
        return chosen.length() <= LONGEST ? chosen : chosen.substring(0, LONGEST - 1) + "…";
    }
}
