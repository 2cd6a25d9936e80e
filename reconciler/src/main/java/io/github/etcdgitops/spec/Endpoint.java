package io.github.etcdgitops.spec;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// The address of a store in one spelling. Two spellings of one place would be listed twice, and each of
/// two policies would delete there what the other keeps.
final class Endpoint {
    private static final Pattern FORM =
            Pattern.compile("(?<scheme>(?i:https?))://(?<host>\\[[^]/?#@]+]|[^\\[\\]:/?#@]+)(?::0*(?<port>[0-9]*))?"
                    + "(?<path>(?:/[^/?#]+)*)/*");

    private Endpoint() {}

    /// Lower case, without the port that the scheme implies, without a slash at the end. What is no such
    /// address stays as it is.
    static String spelled(String endpoint) {
        var match = FORM.matcher(endpoint);
        if (!match.matches()) {
            return endpoint;
        }
        String scheme = match.group("scheme").toLowerCase(Locale.ROOT);
        String implied = scheme.equals("https") ? "443" : "80";
        String port = Optional.ofNullable(match.group("port"))
                .filter(number -> !number.isEmpty() && !number.equals(implied))
                .map(number -> ":" + number)
                .orElse("");
        return scheme + "://" + match.group("host").toLowerCase(Locale.ROOT) + port + match.group("path");
    }
}
