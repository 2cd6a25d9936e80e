package io.github.etcdgitops.trial.backup;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/// `etcd-gitops backup …`, as a person types it.
public record BackupCommands(Bench bench) {
    private static final ObjectMapper JSON = new ObjectMapper();

    String ring(String name) {
        return bench.namespace() + "/" + name;
    }

    /// Of all rings, as the place has them.
    List<Backup> list(BackupPlace place) throws IOException {
        return list(place, List.of());
    }

    List<Backup> list(BackupPlace place, List<String> before) throws IOException {
        var run = bench.tool().start(before, Map.of(), "backup list", words(place, "-o", "json"));
        TrialFailure.unless(run.exit() == 0, "backup list ended with " + run.exit() + ": " + run.tail());
        var backups = JSON.readTree(run.stdout()).path("backups");
        return StreamSupport.stream(backups.spliterator(), false)
                .map(Backup::new)
                .toList();
    }

    /// The newest of one ring.
    Backup newest(BackupPlace place, String name) throws IOException {
        return list(place).stream()
                .filter(b -> b.ring().equals(ring(name)))
                .reduce((_, later) -> later)
                .orElseThrow(() -> new TrialFailure(place.policy() + " has no backup of " + name));
    }

    Run create(BackupPlace place, String name, String... more) throws IOException {
        return create(List.of(), place, name, more);
    }

    Run create(List<String> before, BackupPlace place, String name, String... more) throws IOException {
        return bench.tool().start(before, Map.of(), "backup create", words(place, ring(name), more));
    }

    public Backup created(BackupPlace place, String name) throws IOException {
        demand(0, create(place, name));
        return newest(place, name);
    }

    Run verify(BackupPlace place, String name, String id, String... more) throws IOException {
        var words = new ArrayList<>(List.of("--backup", id));
        words.addAll(List.of(more));
        return bench.tool().start("backup verify", words(place, ring(name), words.toArray(String[]::new)));
    }

    Run prune(BackupPlace place, String name, String... more) throws IOException {
        return bench.tool().start("backup prune", words(place, ring(name), more));
    }

    static Run demand(int exit, Run run) {
        int got = run.exit();
        TrialFailure.unless(
                got == exit,
                run.out().getFileName() + " ended with " + got + " instead of " + exit + ": " + run.tail());
        return run;
    }

    /// The exit code, and words that it must have said.
    static Run demand(int exit, Run run, String... said) {
        demand(exit, run);
        for (String words : said) {
            TrialFailure.unless(
                    run.log().contains(words),
                    run.out().getFileName() + " did not say '" + words + "', but: " + run.tail());
        }
        return run;
    }

    private static String[] words(BackupPlace place, String first, String... more) {
        var words = new ArrayList<>(List.of(first));
        words.addAll(List.of(more));
        words.addAll(List.of("--policy", place.policy()));
        return words.toArray(String[]::new);
    }
}
