package io.github.etcdgitops.report.page;

import gg.jte.TemplateOutput;
import gg.jte.html.OwaspHtmlTemplateOutput;
import io.github.etcdgitops.inert.Inert;
import org.jspecify.annotations.Nullable;

/// Escapes values for their place in the page, as jte does, after making them one line without control
/// characters.
final class InertHtml extends OwaspHtmlTemplateOutput {
    InertHtml(TemplateOutput page) {
        super(page);
    }

    @Override
    public void writeUserContent(@Nullable String value) {
        super.writeUserContent(value == null ? null : Inert.line(value));
    }
}
