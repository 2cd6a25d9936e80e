package io.github.etcdgitops.sandbox.cli;

import io.github.etcdgitops.sandbox.fault.Fault;
import io.github.etcdgitops.sandbox.node.Machines;
import java.io.IOException;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "serve",
        description = "Runs a sandbox in the foreground until it is interrupted; `up` does this in the background.",
        mixinStandardHelpOptions = true)
public final class ServeCommand implements Callable<Integer> {
    @Mixin
    private final FolderOption folder = new FolderOption();

    @Mixin
    private final ServeOptions options = new ServeOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var home = folder.home().create();
        if (home.running().isPresent()) {
            throw new IOException("a sandbox runs in " + home.folder() + " already");
        }
        home.forget();
        int left = Machines.endLeftovers(home.folder());
        if (left > 0) {
            say("ended " + left + " processes that an earlier sandbox had left");
        }
        var stop = new CountDownLatch(1);
        var gone = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop.countDown();
            awaitQuietly(gone);
        }));
        byte[] token = new byte[16];
        new SecureRandom().nextBytes(token);
        String secret = HexFormat.of().formatHex(token);
        try (var sandbox = Sandbox.start(home.folder(), options, ServeCommand::say);
                var control = Control.serve(secret, asked(sandbox, stop))) {
            home.announce(control.port(), secret);
            home.write(home.kubeconfig(), sandbox.kubeconfig());
            say("ready: KUBECONFIG=" + home.kubeconfig());
            stop.await();
        } finally {
            home.forget();
            gone.countDown();
        }
        return 0;
    }

    private static Control.Asked asked(Sandbox sandbox, CountDownLatch stop) {
        return new Control.Asked() {
            @Override
            public void fault(Fault fault) {
                sandbox.apply(fault);
            }

            @Override
            public int exec(List<String> words, OutputStream output) throws IOException, InterruptedException {
                return sandbox.exec(words, output);
            }

            @Override
            public void stop() {
                stop.countDown();
            }
        };
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void say(String line) {
        System.err.println("sandbox: " + line);
    }
}
