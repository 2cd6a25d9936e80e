package io.github.etcdgitops.cli.console;

import io.github.etcdgitops.inert.LineFilter;
import io.github.etcdgitops.pipeline.environment.RunException;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Writes a command's result: each format to standard output or to a file. Files never contain colours.
public final class Outputs {
    /// The formats of every command.
    private static final List<String> PLAIN = List.of("human", "json", "markdown");

    private final Options.Output options;
    private final Terminal terminal;
    private final InertStream out;

    public Outputs(Options.Output options, Terminal terminal, InertStream out) {
        this.options = options;
        this.terminal = terminal;
        this.out = out;
    }

    /// What is wrong with the requested output, before anything is done.
    public static Optional<String> refusal(Options.Output options) {
        var known = new ArrayList<>(PLAIN);
        Arrays.stream(MoreFormats.values())
                .filter(options.also::contains)
                .forEach(also -> known.addAll(also.formats()));
        return options.formats.stream()
                .map(Outputs::name)
                .filter(name -> !known.contains(name))
                .findFirst()
                .map(name -> "unknown output format '" + name + "'; this command knows " + String.join(", ", known));
    }

    private static String name(String format) {
        int equals = format.indexOf('=');
        return equals < 0 ? format : format.substring(0, equals);
    }

    public void write(Rendering rendering) {
        var wanted = options.formats.isEmpty() ? List.of("human") : options.formats;
        for (String format : wanted) {
            String name = name(format);
            Optional<Path> file =
                    format.equals(name) ? Optional.empty() : Optional.of(Path.of(format.substring(name.length() + 1)));
            var style = file.isEmpty() && terminal.colours(options.noColor) ? Style.ansi() : Style.PLAIN;
            Map<String, Supplier<String>> renderers = Map.of(
                    "human", () -> rendering.human(style).toString(),
                    "json", rendering::json,
                    "markdown", rendering::markdown,
                    "html", () -> of(rendering.html(), name),
                    "junit", () -> Rendering.junit(of(rendering.checks(), name)),
                    "sarif", () -> Rendering.sarif(of(rendering.checks(), name)),
                    "github", () -> Rendering.github(of(rendering.checks(), name)));
            var renderer = renderers.get(name);
            if (renderer == null) {
                throw passed(name);
            }
            emit(name, renderer.get(), file);
        }
    }

    private static <T> T of(Optional<T> form, String name) {
        return form.orElseThrow(() -> passed(name));
    }

    private static IllegalStateException passed(String name) {
        return new IllegalStateException("the command line let the format " + name + " pass");
    }

    /// A file may be printed later, so it contains no more than the terminal would get.
    private void emit(String name, String text, Optional<Path> file) {
        boolean commands = name.equals("github");
        if (file.isPresent()) {
            write(file.get(), commands ? text : LineFilter.block(text));
        } else if (commands) {
            out.commands(text);
        } else {
            out.print(text);
            out.flush();
        }
    }

    public static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException _) {
            throw new RunException(RunException.Kind.CONFIGURATION, "cannot write " + file);
        }
    }
}
