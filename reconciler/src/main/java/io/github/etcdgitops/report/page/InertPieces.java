package io.github.etcdgitops.report.page;

import gg.jte.TemplateOutput;
import io.github.etcdgitops.inert.LineFilter;
import java.util.function.Consumer;

/// A page piece by piece, safe to print.
final class InertPieces implements TemplateOutput {
    private final LineFilter filter = new LineFilter();
    private final Consumer<String> to;

    InertPieces(Consumer<String> to) {
        this.to = to;
    }

    @Override
    public void writeContent(String text) {
        to.accept(filter.piece(text));
    }

    @Override
    public void writeContent(String text, int from, int end) {
        writeContent(text.substring(from, end));
    }
}
