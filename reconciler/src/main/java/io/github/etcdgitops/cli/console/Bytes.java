package io.github.etcdgitops.cli.console;

import io.github.etcdgitops.spec.value.Quantity;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/// An option with a number of bytes, as a plain number or as a Kubernetes quantity.
final class Bytes implements CommandLine.ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
        return Quantity.parse(value)
                .flatMap(Quantity::wholeBytes)
                .filter(bytes -> bytes > 0)
                .orElseThrow(() -> new TypeConversionException(
                        "'" + value + "' is not a positive number of bytes, such as 536870912, 512Mi or 1Gi"));
    }
}
