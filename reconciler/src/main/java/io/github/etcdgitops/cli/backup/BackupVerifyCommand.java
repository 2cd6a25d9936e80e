package io.github.etcdgitops.cli.backup;

import io.github.etcdgitops.backup.Verification;
import io.github.etcdgitops.backup.Verification.Result;
import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.cli.console.Failures;
import io.github.etcdgitops.cli.console.Options;
import io.github.etcdgitops.cli.console.Outputs;
import io.github.etcdgitops.cli.console.Progress;
import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.cli.console.TransferProgress;
import io.github.etcdgitops.cli.wiring.Wiring;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.report.table.VerificationTable;
import io.github.etcdgitops.state.backup.StoredBackup;
import java.util.ArrayList;
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
            "Reads every byte of a stored backup, and compares it with its manifest and with etcd's own checksum.",
            "Marks a damaged backup, which then no longer counts. Exits with 20 if a backup is damaged."
        },
        mixinStandardHelpOptions = true)
final class BackupVerifyCommand implements Callable<Integer> {
    private final Surface process;

    @Option(names = "--backup", paramLabel = "ID", description = "One backup, or all. Default: the newest.")
    @Nullable
    String backup;

    @Option(names = "--no-mark", description = "Report a damaged backup, but do not mark it.")
    boolean noMark;

    @Mixin
    private final BackupOptions.OfRing of = new BackupOptions.OfRing();

    @Mixin
    private final Options.Output output = new Options.Output();

    BackupVerifyCommand(Surface process) {
        this.process = process;
    }

    @Override
    public Integer call() {
        var rows = new ArrayList<VerificationTable.Row>();
        var exit = ExitCode.SUCCESS;
        try (var shelf = BackupLocation.open(of.place, process.environment())) {
            for (var chosen : chosen(shelf)) {
                try {
                    rows.add(verify(shelf, chosen));
                } catch (GatewayException e) {
                    exit = ExitCode.worst(exit, Failures.report(e, process.err()));
                }
            }
        }
        new Outputs(output, process.terminal(), process.out()).write(new VerificationTable(rows));
        boolean damaged = rows.stream().anyMatch(VerificationTable.Row.Damaged.class::isInstance);
        return ExitCode.worst(exit, damaged ? ExitCode.FAILED : ExitCode.SUCCESS)
                .code();
    }

    private List<StoredBackup> chosen(BackupLocation shelf) {
        var all = "all".equals(backup) ? shelf.of(of.ring).backups() : List.<StoredBackup>of();
        return all.isEmpty() ? List.of(shelf.chosen(of.ring, backup)) : all;
    }

    private VerificationTable.Row verify(BackupLocation shelf, StoredBackup chosen) {
        var progress = new TransferProgress(
                process.err(), Progress.manner(output, process.terminal()), Surface.clock(), chosen.id());
        var bytes = new AtomicLong();
        try {
            var verification = new Verification(Wiring.encodings(process.environment()));
            return switch (verification.verify(
                    shelf.store(), chosen.key(), size -> moved -> progress.moved(bytes.addAndGet(moved), size))) {
                case Result.Sound(var manifest) -> new VerificationTable.Row.Sound(chosen.key(), manifest);
                case Result.Damaged(String reason) -> {
                    if (!noMark) {
                        Verification.mark(
                                shelf.store(),
                                chosen.key(),
                                reason,
                                Surface.clock().instant());
                    }
                    yield new VerificationTable.Row.Damaged(chosen.key(), reason);
                }
            };
        } finally {
            progress.ended();
        }
    }
}
