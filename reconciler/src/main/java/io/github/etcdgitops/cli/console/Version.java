package io.github.etcdgitops.cli.console;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/// The version of the jar.
public final class Version implements IVersionProvider {
    public static String tool() {
        return "etcd-gitops "
                + Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                        .orElse("development");
    }

    @Override
    public String[] getVersion() {
        return new String[] {tool(), "Java " + Runtime.version()};
    }
}
