package io.github.etcdgitops.sandbox.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "exec",
        description = "Runs a command beside a member, with its files, names and variables, as kubectl exec does.",
        footer = {"", "sandbox exec demo/orders-0 -- etcdctl member list -w table"},
        mixinStandardHelpOptions = true)
final class ExecCommand implements Callable<Integer> {
    @Mixin
    private final FolderOption folder = new FolderOption();

    @Parameters(index = "0", paramLabel = "NAMESPACE/POD", description = "Where.")
    private String pod = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND", description = "What, after --.")
    private List<String> command = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var words = new ArrayList<String>();
        words.add(pod);
        words.addAll(command);
        return Control.exec(folder.home().require(), words, System.out);
    }
}
