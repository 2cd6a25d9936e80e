package io.github.etcdgitops.cli;

import io.github.etcdgitops.backup.Verification;
import io.github.etcdgitops.backup.Verification.Result;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.state.StoredBackup;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "verify",
        description = {
            "Reads a backup again, every byte of it, and compares it with its manifest and with etcd's own checksum.",
            "One that is damaged is marked and counts no more. Exits 20 when one is."
        },
        mixinStandardHelpOptions = true)
final class BackupVerifyCommand implements Callable<Integer> {
    private final Cli.Surface process;

    @Option(names = "--backup", paramLabel = "ID", description = "One backup, or all. Default: the newest.")
    @Nullable
    String backup;

    @Option(names = "--no-mark", description = "Only say that a backup is damaged.")
    boolean noMark;

    @Mixin
    private final BackupOptions.OfRing of = new BackupOptions.OfRing();

    @Mixin
    private final Options.Output output = new Options.Output();

    BackupVerifyCommand(Cli.Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        try (var shelf = Shelf.open(of.place, process.environment())) {
            var exit = ExitCode.SUCCESS;
            for (var chosen : chosen(shelf)) {
                exit = ExitCode.worst(
                        exit, verify(shelf, new Verification(Wiring.encodings(process.environment())), chosen));
            }
            return exit.code();
        }
    }

    private List<StoredBackup> chosen(Shelf shelf) {
        var all = "all".equals(backup) ? shelf.of(of.ring).backups() : List.<StoredBackup>of();
        return all.isEmpty() ? List.of(shelf.chosen(of.ring, backup)) : all;
    }

    private ExitCode verify(Shelf shelf, Verification verification, StoredBackup chosen) {
        var progress = new TransferProgress(
                process.err(), Progress.manner(output, process.terminal()), Wiring.clock(), chosen.id());
        var bytes = new AtomicLong();
        try {
            var result = verification.verify(
                    shelf.store(), chosen.key(), moved -> progress.moved(bytes.addAndGet(moved), 0));
            progress.ended();
            return switch (result) {
                case Result.Sound(var manifest) -> {
                    process.out()
                            .println(chosen.id() + "  sound  "
                                    + manifest.content().size() + " bytes, revision "
                                    + manifest.content().revision() + ", sha256 "
                                    + manifest.content().sha256());
                    yield ExitCode.SUCCESS;
                }
                case Result.Damaged(String reason) -> {
                    process.out().println(chosen.id() + "  damaged  " + reason);
                    if (!noMark) {
                        Verification.mark(
                                shelf.store(),
                                chosen.key(),
                                reason,
                                Wiring.clock().instant());
                    }
                    yield ExitCode.FAILED;
                }
            };
        } catch (GatewayException e) {
            progress.ended();
            return Failures.report(e, process.err());
        }
    }
}
