package io.github.etcdgitops.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// `WriteLoad --endpoints-command COMMAND --until-file PATH --report PATH`, for scripts.
///
/// The command runs in a shell, prints endpoints separated by white space or commas, and is run again all the time.
/// Writes until the file appears, then reads back and writes the report as JSON. Ends with 0 when nothing was lost
/// and the load was enough, with 1 when not, with 2 when the ring could not be read back.
final class WriteLoadCommand {
    private static final Duration LONGEST = Duration.ofHours(2);

    private WriteLoadCommand() {}

    static int run(List<String> args) throws IOException {
        String command = option(args, "--endpoints-command");
        Path until = Path.of(option(args, "--until-file"));
        Path report = Path.of(option(args, "--report"));
        var load = WriteLoad.start(() -> ask(command));
        EtcdProcess.await("the file " + until, LONGEST, () -> Files.exists(until));
        try {
            var result = load.stop();
            Files.writeString(report, result.toJson());
            System.out.print(result.toJson());
            return result.lost().isEmpty() && !result.tooFew() ? 0 : 1;
        } catch (IllegalStateException e) {
            Files.writeString(report, "{\"error\": \"" + e.getMessage() + "\"}\n");
            System.err.println(e.getMessage());
            return 2;
        }
    }

    private static String option(List<String> args, String name) {
        int at = args.indexOf(name);
        if (at < 0 || at + 1 >= args.size()) {
            throw new IllegalArgumentException(
                    "usage: WriteLoad --endpoints-command COMMAND --until-file PATH --report PATH; " + name
                            + " is missing");
        }
        return args.get(at + 1);
    }

    private static List<String> ask(String command) {
        try {
            var process = new ProcessBuilder("sh", "-c", command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (var output = process.getInputStream()) {
                String told = new String(output.readAllBytes(), StandardCharsets.UTF_8);
                return Stream.of(told.split("[\\s,]+"))
                        .filter(word -> !word.isEmpty())
                        .toList();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
