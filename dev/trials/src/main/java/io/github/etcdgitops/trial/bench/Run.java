package io.github.etcdgitops.trial.bench;

import io.github.etcdgitops.it.EtcdProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A run of `etcd-gitops` as a process of its own, and what it said.
public record Run(Process process, Path out, Path err) implements Work {
    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public int exit() {
        EtcdProcess.await("the end of a run", LONGEST, () -> !process.isAlive());
        return process.exitValue();
    }

    /// SIGKILL: nothing is tidied up.
    public void kill() {
        process.destroyForcibly();
        exit();
    }

    /// `STOP` freezes the process, `CONT` lets it go on.
    public void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        TrialFailure.unless(exit == 0, "the run could not be sent SIG" + name);
    }

    @Override
    public String log() {
        return stderr() + stdout();
    }

    public String stdout() {
        return text(out);
    }

    public String stderr() {
        return text(err);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
