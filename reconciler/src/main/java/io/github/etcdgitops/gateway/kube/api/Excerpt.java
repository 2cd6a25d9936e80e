package io.github.etcdgitops.gateway.kube.api;

import io.github.etcdgitops.inert.Inert;

/// The most useful line of another program's output, safe to print.
public final class Excerpt {
    private static final int LONGEST = 300;

    private Excerpt() {}

    /// The last line that looks like an error, else the last one; without control characters, and cut.
    public static String of(String text) {
        String last = "";
        String error = "";
        for (String line : text.split("\\R")) {
            String plain = Inert.line(line.strip());
            if (!plain.isEmpty()) {
                last = plain;
                error = plain.matches("(?i)(error|panic|fatal).*") ? plain : error;
            }
        }
        String chosen = error.isEmpty() ? last : error;
        return chosen.length() <= LONGEST ? chosen : chosen.substring(0, LONGEST - 1) + "…";
    }
}
