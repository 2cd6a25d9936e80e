package io.github.etcdgitops.cli.backup;

import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.spec.value.ClusterRef;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The options that select backups.
public final class BackupOptions {
    private BackupOptions() {}

    /// `NAMESPACE/NAME`.
    public static final class Ring implements CommandLine.ITypeConverter<ClusterRef> {
        @Override
        public ClusterRef convert(String value) {
            int slash = value.indexOf('/');
            if (slash <= 0 || slash == value.length() - 1 || value.indexOf('/', slash + 1) >= 0) {
                throw new CommandLine.TypeConversionException("'" + value + "' is not a ring; expected NAMESPACE/NAME");
            }
            return new ClusterRef(value.substring(0, slash), value.substring(slash + 1));
        }
    }

    /// The location, named by its policy, and the repository of the policy.
    static final class Place {
        @Option(
                names = "--policy",
                paramLabel = "NAME",
                description = "The BackupPolicy whose destination to use. Default: the only one in the repository.")
        @Nullable
        String policy;

        @Mixin
        final Options.Repository repository = new Options.Repository();
    }

    /// The backups of one ring at that location.
    static final class OfRing {
        @Parameters(index = "0", paramLabel = "NAMESPACE/NAME", converter = Ring.class, description = "The ring.")
        @SuppressWarnings("NullAway.Init") // picocli sets it or refuses
        ClusterRef ring;

        @Mixin
        final Place place = new Place();
    }
}
