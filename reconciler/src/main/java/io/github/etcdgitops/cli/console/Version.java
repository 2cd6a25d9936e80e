package io.github.etcdgitops.cli.console;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/// The version of the jar.
public final class Version implements IVersionProvider {
    public static String tool() {
        return "etcd-gitops "
                + Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                        .orElse("development");
    }

    /// Whether nothing else is asked, and no setting may be misspelt. Then the answer needs no command line, and
    /// takes no longer than an empty program.
    public static boolean alone(String[] args, Map<String, String> environment) {
        return args.length == 1
                && List.of("version", "--version", "-V").contains(args[0])
                && environment.keySet().stream()
                        .noneMatch(variable ->
                                variable.startsWith("ETCD_GITOPS_") && !variable.equals("ETCD_GITOPS_JAVA_OPTS"));
    }

    public static void print(PrintStream out) {
        for (String line : new Version().getVersion()) {
            out.println(line);
        }
    }

    @Override
    public String[] getVersion() {
        return new String[] {tool(), "Java " + Runtime.version()};
    }
}
