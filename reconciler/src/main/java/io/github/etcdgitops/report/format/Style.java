package io.github.etcdgitops.report.format;

import io.github.etcdgitops.inert.Mark;
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
        return new Style(
                Mark.STRONG::around, Mark.GOOD::around, Mark.BAD::around, Mark.DOUBT::around, Mark.FAINT::around);
    }
}
