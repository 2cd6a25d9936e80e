package io.github.etcdgitops.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/// The version that the jar was built as.
final class Version implements IVersionProvider {
    static String tool() {
        return "etcd-gitops "
                + Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                        .orElse("development");
    }

    @Override
    public String[] getVersion() {
        return new String[] {tool(), "Java " + Runtime.version()};
    }
}
