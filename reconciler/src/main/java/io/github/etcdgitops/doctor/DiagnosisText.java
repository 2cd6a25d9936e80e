package io.github.etcdgitops.doctor;

import io.github.etcdgitops.doctor.Diagnosis.Section;
import io.github.etcdgitops.doctor.fact.Trouble;
import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.spec.value.WireName;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A diagnosis for people and for programs. `ascii` is for terminals that only show ASCII.
public record DiagnosisText(Diagnosis diagnosis, boolean ascii) implements Rendering {
    /// The result of one check. The order is that of the summary.
    private enum Verdict implements WireName {
        OK("✓"),
        WARNING("!"),
        FAILED("✗"),
        SKIPPED("-");

        private final String sign;

        Verdict(String sign) {
            this.sign = sign;
        }

        String word() {
            return wire();
        }

        @Override
        public String wire() {
            return switch (this) {
                case OK -> "ok";
                case WARNING -> "warning";
                case FAILED -> "failed";
                case SKIPPED -> "skipped";
            };
        }
    }

    private record Row(Verdict verdict, String name, String seen, List<String> remedy) {
        static Row of(Check check) {
            return switch (check) {
                case Check.Ok(String name, String seen) -> new Row(Verdict.OK, name, seen, List.of());
                case Check.Warning(String name, String seen, List<String> remedy) ->
                    new Row(Verdict.WARNING, name, seen, remedy);
                case Check.Failed(String name, Trouble unused, String seen, List<String> remedy) ->
                    new Row(Verdict.FAILED, name, seen, remedy);
                case Check.Skipped(String name, String because) -> new Row(Verdict.SKIPPED, name, because, List.of());
            };
        }
    }

    @Override
    public Lines human(Style style) {
        int width = diagnosis.sections().stream()
                .flatMap(s -> s.checks().stream())
                .mapToInt(c -> c.name().length())
                .max()
                .orElse(0);
        var out = new Lines();
        for (Section section : diagnosis.sections()) {
            out.append(style.strong().apply(section.title())).end();
            section.checks().forEach(check -> line(out, Row.of(check), width, style));
        }
        return out.append(summary()).end();
    }

    private void line(Lines out, Row row, int width, Style style) {
        int signs = ascii ? "warning".length() : 1;
        String sign = ascii ? row.verdict().word() : row.verdict().sign;
        String coloured = switch (row.verdict()) {
            case OK -> style.good().apply(sign);
            case WARNING -> style.doubt().apply(sign);
            case FAILED -> style.bad().apply(sign);
            case SKIPPED -> style.faint().apply(sign);
        };
        String name = row.name() + " ".repeat(width - row.name().length());
        out.append("  ").append(coloured).append(" ".repeat(signs - sign.length() + 1));
        out.append(name).append("  ");
        out.append(row.verdict() == Verdict.SKIPPED ? style.faint().apply(row.seen()) : row.seen())
                .end();
        String margin = " ".repeat(2 + signs + 1 + width + 2);
        String arrow = ascii ? "-> " : "→ ";
        for (int i = 0; i < row.remedy().size(); i++) {
            out.append(margin)
                    .append(i == 0 ? arrow : " ".repeat(arrow.length()))
                    .append(row.remedy().get(i))
                    .end();
        }
    }

    private String summary() {
        var counts = new EnumMap<Verdict, Integer>(Verdict.class);
        diagnosis
                .sections()
                .forEach(s -> s.checks().forEach(c -> counts.merge(Row.of(c).verdict(), 1, Integer::sum)));
        return String.join(
                ", ",
                counts.entrySet().stream()
                        .map(e -> e.getValue() + " " + e.getKey().word())
                        .toList());
    }

    @Override
    public String json() {
        var checks = new ArrayList<Map<String, Object>>();
        for (Section section : diagnosis.sections()) {
            for (Check check : section.checks()) {
                Row row = Row.of(check);
                checks.add(new TreeMap<>(Map.of(
                        "section", section.title(),
                        "name", row.name(),
                        "verdict", row.verdict().word(),
                        "seen", row.seen(),
                        "remedy", row.remedy())));
            }
        }
        return Json.write(new TreeMap<>(
                Map.of("kind", "Diagnosis", "formatVersion", PlanJson.FORMAT, "checks", List.copyOf(checks))));
    }

    @Override
    public String markdown() {
        var page = new StringBuilder("# Diagnosis\n\n**").append(summary()).append("**\n");
        for (Section section : diagnosis.sections()) {
            page.append("\n## ")
                    .append(MarkdownText.text(section.title()))
                    .append("\n\n| | Check | Seen | Remedy |\n|---|---|---|---|\n");
            for (Check check : section.checks()) {
                Row row = Row.of(check);
                page.append("| ").append(row.verdict().word());
                page.append(" | ").append(MarkdownText.text(row.name()));
                page.append(" | ").append(MarkdownText.text(row.seen())).append(" | ");
                page.append(String.join(
                        "<br>", row.remedy().stream().map(MarkdownText::text).toList()));
                page.append(" |\n");
            }
        }
        return page.toString();
    }
}
