package io.github.etcdgitops.cli.release;

import io.github.etcdgitops.cli.console.CommandGroup;
import io.github.etcdgitops.cli.console.Surface;
import picocli.CommandLine;

/// The commands about releases of etcd.
public final class ReleaseCommands {
    private ReleaseCommands() {}

    public static CommandLine catalog(Surface process) {
        return CommandGroup.of(
                "catalog",
                "Checks and shows what is known about the releases of etcd.",
                new CatalogCheckCommand(process));
    }

    public static CommandLine upgrade(Surface process) {
        return CommandGroup.of(
                "upgrade", "Looks at what an upgrade of the rings would need.", new UpgradeCheckCommand(process));
    }

    public static CommandLine versions(Surface process) {
        return CommandGroup.of(
                "versions",
                "Proposes releases of etcd for the rings of a config repository.",
                new VersionsProposeCommand(process));
    }
}
