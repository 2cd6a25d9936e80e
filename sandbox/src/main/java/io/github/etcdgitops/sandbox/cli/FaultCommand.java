package io.github.etcdgitops.sandbox.cli;

import io.github.etcdgitops.sandbox.fault.Fault;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "fault",
        description = "Makes something go wrong in a running sandbox.",
        footer = {
            "",
            "kill-pod NAMESPACE/POD      kill its process; it is started again",
            "wipe-volume NAMESPACE/POD   kill it and empty its volume",
            "lose-volume NAMESPACE/POD   kill it and take its volume away for good",
            "isolate NAMESPACE/POD       cut it off from its peers, both ways",
            "heal NAMESPACE/POD          end an isolation",
            "node-gone NODE              a machine is gone, with everything on it",
            "node-frozen NODE            a machine stands still, with everything on it",
            "node-back NODE              and comes back, or goes on",
            "api-down [SECONDS]          the API server is gone, for so long or until api-up",
            "api-up                      and comes back"
        },
        mixinStandardHelpOptions = true)
final class FaultCommand implements Callable<Integer> {
    @Mixin
    private final FolderOption folder = new FolderOption();

    @Parameters(paramLabel = "FAULT", arity = "1..*", description = "What goes wrong, and where; see below.")
    private List<String> words = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        // Before anything is asked for, so that a wrong word needs no sandbox to be found.
        Fault.parse(words);
        Control.ask(folder.home().require(), "fault", words);
        return 0;
    }
}
