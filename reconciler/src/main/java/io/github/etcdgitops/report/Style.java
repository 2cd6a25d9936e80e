package io.github.etcdgitops.report;

import java.util.function.UnaryOperator;

/// How a terminal shows emphasis; plain text elsewhere.
public record Style(
        UnaryOperator<String> strong,
        UnaryOperator<String> good,
        UnaryOperator<String> bad,
        UnaryOperator<String> doubt,
        UnaryOperator<String> faint) {
    public static final Style PLAIN = new Style(s -> s, s -> s, s -> s, s -> s, s -> s);

    public static Style ansi() {
        return new Style(code("1"), code("32"), code("31"), code("33"), code("2"));
    }

    private static UnaryOperator<String> code(String number) {
        return text -> "\u001b[" + number + "m" + text + "\u001b[0m";
    }
}
