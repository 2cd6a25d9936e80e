package io.github.etcdgitops.cli.console;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import picocli.CommandLine;

/// A point in time in RFC 3339, with an offset from UTC.
public final class Moment implements CommandLine.ITypeConverter<Instant> {
    @Override
    public Instant convert(String value) {
        try {
            return OffsetDateTime.parse(value).toInstant();
        } catch (DateTimeParseException _) {
            throw new CommandLine.TypeConversionException(
                    "'" + value + "' is not a time; expected for example 2027-03-28T02:30:00Z");
        }
    }
}
