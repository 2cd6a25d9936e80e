package io.github.etcdgitops.trial.bench;

import java.util.regex.Pattern;
import picocli.CommandLine;

/// `1GiB` or `256MiB`, as a person writes it.
public record DataSize(String text, long bytes) {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,6})(MiB|GiB)");

    public static DataSize of(String text) {
        var match = SIZE.matcher(text);
        if (!match.matches()) {
            throw new CommandLine.TypeConversionException(
                    "'" + text + "' is no size; expected a number and MiB or GiB, 1GiB say");
        }
        return new DataSize(
                text, Long.parseLong(match.group(1)) << (match.group(2).equals("GiB") ? 30 : 20));
    }

    @Override
    public String toString() {
        return text;
    }

    public static final class Converter implements CommandLine.ITypeConverter<DataSize> {
        @Override
        public DataSize convert(String value) {
            return of(value);
        }
    }
}
