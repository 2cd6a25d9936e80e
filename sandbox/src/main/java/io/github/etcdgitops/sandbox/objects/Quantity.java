package io.github.etcdgitops.sandbox.objects;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An amount such as `500m` or `1Gi`. An API server writes each in one way, whatever it was given: `1024Mi`
/// becomes `1Gi`, `0.5` becomes `500m`.
record Quantity(BigDecimal value, boolean binary) {
    private static final Pattern SHAPE =
            Pattern.compile("([+-]?(?:\\d+\\.?\\d*|\\.\\d+))([KMGTPE]i|[numkMGTPE]|[eE][+-]?\\d+)?");
    private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final List<String> DECIMAL = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
    private static final int ONE = DECIMAL.indexOf("");
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

    /// Empty when it is none.
    static Optional<Quantity> parse(String text) {
        Matcher matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        var number = new BigDecimal(matcher.group(1));
        String suffix = matcher.group(2) == null ? "" : matcher.group(2);
        if (suffix.endsWith("i")) {
            return Optional.of(new Quantity(number.multiply(KIBI.pow(BINARY.indexOf(suffix))), true));
        }
        int exponent = DECIMAL.contains(suffix)
                ? 3 * (DECIMAL.indexOf(suffix) - ONE)
                : Integer.parseInt(suffix.substring(1).replace("+", ""));
        return Optional.of(new Quantity(number.scaleByPowerOfTen(exponent), false));
    }

    String canonical() {
        if (value.signum() == 0) {
            return "0";
        }
        return binary && whole(value) && value.abs().compareTo(KIBI) >= 0 ? binaryText() : decimalText();
    }

    private String binaryText() {
        BigDecimal left = value;
        int unit = 0;
        while (unit < BINARY.size() - 1 && whole(left.divide(KIBI))) {
            left = left.divide(KIBI);
            unit++;
        }
        return left.toBigInteger() + BINARY.get(unit);
    }

    private String decimalText() {
        BigDecimal left = value.scaleByPowerOfTen(3 * ONE).setScale(0, RoundingMode.UP);
        int unit = 0;
        while (unit < DECIMAL.size() - 1 && whole(left.scaleByPowerOfTen(-3))) {
            left = left.scaleByPowerOfTen(-3);
            unit++;
        }
        return left.toBigInteger() + DECIMAL.get(unit);
    }

    private static boolean whole(BigDecimal number) {
        return number.stripTrailingZeros().scale() <= 0;
    }
}
