package io.github.etcdgitops.cli;

import io.github.etcdgitops.pipeline.RunException;
import io.github.etcdgitops.report.Checks;
import io.github.etcdgitops.report.Rendering;
import io.github.etcdgitops.report.Style;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;

/// Where a command's result goes: each format to standard output or to a file. Files never hold colours.
final class Outputs {
    private static final List<String> FORMATS =
            List.of("human", "json", "markdown", "html", "junit", "sarif", "github");

    private final Options.Output options;
    private final Terminal terminal;
    private final PrintStream out;

    Outputs(Options.Output options, Terminal terminal, PrintStream out) {
        this.options = options;
        this.terminal = terminal;
        this.out = out;
    }

    /// Refuses an unknown format while the command line is read, before anything is done.
    static final class Format implements CommandLine.ITypeConverter<String> {
        @Override
        public String convert(String value) {
            int equals = value.indexOf('=');
            String name = equals < 0 ? value : value.substring(0, equals);
            if (!FORMATS.contains(name)) {
                throw new CommandLine.TypeConversionException(
                        "unknown output format '" + name + "'; known are " + String.join(", ", FORMATS));
            }
            return value;
        }
    }

    void write(Rendering rendering) {
        var wanted = options.formats.isEmpty() ? List.of("human") : options.formats;
        for (String format : wanted) {
            int equals = format.indexOf('=');
            String name = equals < 0 ? format : format.substring(0, equals);
            Optional<Path> file = equals < 0 ? Optional.empty() : Optional.of(Path.of(format.substring(equals + 1)));
            var style = file.isEmpty() && terminal.colours(options.noColor) ? Style.ansi() : Style.PLAIN;
            Map<String, Supplier<String>> renderers = Map.of(
                    "human", () -> rendering.human(style),
                    "json", rendering::json,
                    "markdown", rendering::markdown,
                    "html", () -> html(rendering),
                    "junit", () -> Rendering.junit(checks(rendering, name)),
                    "sarif", () -> Rendering.sarif(checks(rendering, name)),
                    "github", () -> Rendering.github(checks(rendering, name)));
            var renderer = renderers.get(name);
            if (renderer == null) {
                throw new IllegalStateException("the command line let the format " + name + " pass");
            }
            emit(renderer.get(), file);
        }
    }

    private static String html(Rendering rendering) {
        return rendering
                .html()
                .orElseThrow(() -> new RunException(
                        RunException.Kind.CONFIGURATION,
                        "the format html is one of plan, apply and reconcile: this command shows no rings"));
    }

    private static Checks checks(Rendering rendering, String format) {
        return rendering
                .checks()
                .orElseThrow(() -> new RunException(
                        RunException.Kind.CONFIGURATION,
                        "the format " + format + " is one of validate and plan: this command checks nothing"));
    }

    private void emit(String text, Optional<Path> file) {
        if (file.isEmpty()) {
            out.print(text);
            out.flush();
            return;
        }
        write(file.get(), text);
    }

    static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException _) {
            throw new RunException(RunException.Kind.CONFIGURATION, "cannot write " + file);
        }
    }
}
