package io.github.etcdgitops.spec.value;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A Kubernetes quantity such as `8Gi` or `500m`, as a number.
public record Quantity(BigDecimal value) implements Comparable<Quantity> {
    public static final Quantity ZERO = new Quantity(BigDecimal.ZERO);

    /// As an API server reads it. It writes small amounts in millionths and thousand-millionths.
    private static final Pattern FORM = Pattern.compile("([+-]?(?:[0-9]{1,40}[.]?|[0-9]{0,40}[.][0-9]{1,40}))"
            + "(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?[0-9]{1,2})?");
    private static final int FEW_DIGITS = 6;
    private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti");
    private static final List<String> UNITS = List.of("Ei", "Pi", "Ti", "Gi", "Mi", "Ki");
    private static final Map<String, BigDecimal> SUFFIXES = Map.ofEntries(
            Map.entry("n", BigDecimal.ONE.movePointLeft(9)),
            Map.entry("u", BigDecimal.ONE.movePointLeft(6)),
            Map.entry("m", BigDecimal.ONE.movePointLeft(3)),
            Map.entry("k", BigDecimal.TEN.pow(3)),
            Map.entry("M", BigDecimal.TEN.pow(6)),
            Map.entry("G", BigDecimal.TEN.pow(9)),
            Map.entry("T", BigDecimal.TEN.pow(12)),
            Map.entry("P", BigDecimal.TEN.pow(15)),
            Map.entry("E", BigDecimal.TEN.pow(18)),
            Map.entry("Ki", BigDecimal.TWO.pow(10)),
            Map.entry("Mi", BigDecimal.TWO.pow(20)),
            Map.entry("Gi", BigDecimal.TWO.pow(30)),
            Map.entry("Ti", BigDecimal.TWO.pow(40)),
            Map.entry("Pi", BigDecimal.TWO.pow(50)),
            Map.entry("Ei", BigDecimal.TWO.pow(60)));

    /// Empty also for a negative one.
    public static Optional<Quantity> parse(String text) {
        return simple(text).or(() -> parsed(text));
    }

    /// Digits, few enough for a `long` with each suffix, and one of `Ki`, `Mi`, `Gi`, `Ti`, or none: almost all are
    /// like
    /// that, and plans parse them again and again.
    private static Optional<Quantity> simple(String text) {
        int digits = 0;
        long number = 0;
        while (digits < text.length()
                && digits <= FEW_DIGITS
                && text.charAt(digits) >= '0'
                && text.charAt(digits) <= '9') {
            number = 10 * number + text.charAt(digits++) - '0';
        }
        int power = BINARY.indexOf(text.substring(digits));
        return digits == 0 || digits > FEW_DIGITS || power < 0
                ? Optional.empty()
                : Optional.of(new Quantity(BigDecimal.valueOf(number << (10 * power))));
    }

    private static Optional<Quantity> parsed(String text) {
        var match = FORM.matcher(text);
        return match.matches() ? Optional.of(read(match)).filter(q -> q.compareTo(ZERO) >= 0) : Optional.empty();
    }

    private static Quantity read(Matcher match) {
        var number = new BigDecimal(match.group(1));
        String suffix = match.group(2);
        if (suffix == null) {
            return new Quantity(number);
        }
        var factor = SUFFIXES.get(suffix);
        return new Quantity(
                factor == null
                        ? number.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1)))
                        : number.multiply(factor));
    }

    /// The number as bytes; empty when it is not a whole number or too large.
    public Optional<Long> wholeBytes() {
        try {
            return Optional.of(value.longValueExact());
        } catch (ArithmeticException _) {
            return Optional.empty();
        }
    }

    /// Whether it exceeds Kubernetes' maximum, which is 2^63 - 1.
    public boolean isMoreThanFits() {
        return value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0;
    }

    /// This percentage of it, rounded down.
    public Quantity percent(int percent) {
        return new Quantity(
                value.multiply(BigDecimal.valueOf(percent)).divide(BigDecimal.valueOf(100), 0, RoundingMode.DOWN));
    }

    /// The number without a suffix: `0.5`, `12`.
    public String plain() {
        return value.stripTrailingZeros().toPlainString();
    }

    /// In the largest binary unit that it reaches, rounded to two digits: `12.5Gi`.
    public String inBytes() {
        var unit = UNITS.stream()
                .filter(suffix -> value.compareTo(factor(suffix)) >= 0)
                .findFirst();
        return unit.map(suffix -> new Quantity(value.divide(factor(suffix), 2, RoundingMode.HALF_UP)).plain() + suffix)
                .orElseGet(this::plain);
    }

    private static BigDecimal factor(String suffix) {
        return SUFFIXES.getOrDefault(suffix, BigDecimal.ONE);
    }

    @Override
    public int compareTo(Quantity other) {
        return value.compareTo(other.value);
    }
}
