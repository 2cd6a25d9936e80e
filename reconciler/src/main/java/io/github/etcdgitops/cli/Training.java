package io.github.etcdgitops.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Runs short commands one after another in one process, so that one recording of the JVM has the classes
/// of all. `reconciler/aot-cache` starts it when an archive is made. All output goes to the standard error.
///
/// Arguments: for each command the expected exit code and its words, with `--` between commands.
final class Training {
    private Training() {}

    public static void main(String[] arguments) {
        var out = Cli.inert(System.err);
        boolean good = true;
        for (var command : commands(arguments)) {
            var words = command.subList(1, command.size()).toArray(String[]::new);
            int code = Cli.run(words, System.getenv(), out, out);
            if (code != Integer.parseInt(command.getFirst())) {
                out.println(String.join(" ", words) + " ended with " + code);
                good = false;
            }
        }
        System.exit(good ? 0 : 1);
    }

    private static List<List<String>> commands(String[] arguments) {
        var commands = new ArrayList<List<String>>();
        var left = Arrays.asList(arguments);
        while (!left.isEmpty()) {
            int end = left.contains("--") ? left.indexOf("--") : left.size();
            commands.add(left.subList(0, end));
            left = left.subList(Math.min(end + 1, left.size()), left.size());
        }
        return commands;
    }
}
