package io.github.etcdgitops.gateway.kube.read;

import java.util.Optional;

/// Ordinals in names, as numbers: `db-10` is after `db-9`, and `db-07` is not valid.
final class Ordinals {
    private static final int MAX_DIGITS = 4;

    private Ordinals() {}

    static Optional<Integer> of(String prefix, String name, String suffix) {
        if (!name.startsWith(prefix) || !name.endsWith(suffix) || name.length() <= prefix.length() + suffix.length()) {
            return Optional.empty();
        }
        String digits = name.substring(prefix.length(), name.length() - suffix.length());
        boolean number = digits.length() <= MAX_DIGITS
                && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                && (digits.length() == 1 || digits.charAt(0) != '0');
        return number ? Optional.of(Integer.valueOf(digits)) : Optional.empty();
    }
}
