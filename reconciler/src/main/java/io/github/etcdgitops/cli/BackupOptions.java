package io.github.etcdgitops.cli;

import io.github.etcdgitops.spec.ClusterRef;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/// Which backups a command is about.
final class BackupOptions {
    private BackupOptions() {}

    /// `NAMESPACE/NAME`.
    static final class Ring implements CommandLine.ITypeConverter<ClusterRef> {
        @Override
        public ClusterRef convert(String value) {
            int slash = value.indexOf('/');
            if (slash <= 0 || slash == value.length() - 1 || value.indexOf('/', slash + 1) >= 0) {
                throw new CommandLine.TypeConversionException("'" + value + "' is no ring; expected NAMESPACE/NAME");
            }
            return new ClusterRef(value.substring(0, slash), value.substring(slash + 1));
        }
    }

    /// The place, by the policy that names it.
    static final class Place {
        @Option(
                names = "--policy",
                paramLabel = "NAME",
                description = "The BackupPolicy whose destination is meant. Default: the only one there is.")
        @Nullable
        String policy;
    }
}
