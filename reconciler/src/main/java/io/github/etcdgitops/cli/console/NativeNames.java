package io.github.etcdgitops.cli.console;

import io.github.etcdgitops.spec.value.SecretShapes;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Names of files and folders that this process cannot read: in a locale such as `C`, non-ASCII characters
/// arrive as replacement characters, and no file has such a name.
public record NativeNames(Optional<Charset> encoding, String locale) {
    private static final char REPLACEMENT = '\uFFFD';

    /// How this process decodes names.
    public static NativeNames of(Map<String, String> environment) {
        String name = System.getProperty("sun.jnu.encoding", "");
        String locale = Stream.of("LC_ALL", "LC_CTYPE", "LANG")
                .filter(variable -> !environment.getOrDefault(variable, "").isEmpty())
                .map(variable -> variable + "=" + environment.get(variable))
                .findFirst()
                .orElse("LC_ALL is not set");
        return new NativeNames(
                Charset.isSupported(name) ? Optional.of(Charset.forName(name)) : Optional.empty(), locale);
    }

    /// Why the command cannot run; empty where every argument and the working directory is readable.
    public Optional<String> unreadable(String[] args, String workingDirectory) {
        if (encoding.filter(StandardCharsets.UTF_8::equals).isPresent()) {
            return Optional.empty();
        }
        var folder =
                Optional.of(workingDirectory).filter(NativeNames::damaged).map(name -> "the working directory " + name);
        return folder.or(() -> Arrays.stream(args)
                        .filter(NativeNames::damaged)
                        .findFirst()
                        .map(arg -> SecretShapes.likely(arg) ? "an argument" : "the argument " + arg))
                .map(what -> what + " holds characters that cannot be read in this locale (" + locale + ", encoding "
                        + encoding.map(Charset::name).orElse("unknown") + "); set LC_ALL=C.UTF-8");
    }

    private static boolean damaged(String name) {
        return name.indexOf(REPLACEMENT) >= 0;
    }
}
