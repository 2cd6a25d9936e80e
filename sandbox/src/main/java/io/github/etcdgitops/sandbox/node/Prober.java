package io.github.etcdgitops.sandbox.node;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/// Asks one running container what its probes ask, until its process ends.
///
/// As long as it is not started, or not ready, it is asked more often than the probe's period says, so that a
/// ring comes up as soon as it can.
record Prober(Engine engine, RunningContainer container, Duration impatience, Listener listener) {
    /// What is learned. A container that fails its startup or liveness probe is to be started again.
    interface Listener {
        void answered(boolean started, boolean ready);

        void failed(String probe);

        /// Whether nobody asks at the moment, because the machine stands still.
        boolean asleep();
    }

    void start(ContainerSpec.Probes probes) {
        Thread.ofVirtual().name("probes").start(() -> {
            Optional<Probe> startup = probes.startup();
            if (startup.isEmpty() || started(startup.get())) {
                listener.answered(true, probes.readiness().isEmpty());
                probes.liveness().ifPresent(probe -> Thread.ofVirtual().start(() -> watchLiveness(probe)));
                probes.readiness().ifPresent(this::watchReadiness);
            }
        });
    }

    private boolean started(Probe probe) {
        var started = new boolean[1];
        ask(probe, count -> {
            started[0] = count.passed(probe);
            if (count.failed(probe)) {
                listener.failed("startup");
            }
            return started[0] || count.failed(probe) ? Next.STOP : Next.SOON;
        });
        return started[0];
    }

    private void watchLiveness(Probe probe) {
        ask(probe, count -> {
            if (count.failed(probe)) {
                listener.failed("liveness");
                return Next.STOP;
            }
            return Next.IN_A_PERIOD;
        });
    }

    private void watchReadiness(Probe probe) {
        var ready = new boolean[1];
        ask(probe, count -> {
            boolean now = ready[0] ? !count.failed(probe) : count.passed(probe);
            if (now != ready[0]) {
                ready[0] = now;
                listener.answered(true, now);
            }
            return now ? Next.IN_A_PERIOD : Next.SOON;
        });
    }

    private enum Next {
        SOON,
        IN_A_PERIOD,
        STOP
    }

    private interface Judge {
        Next judge(ProbeCount count);
    }

    private void ask(Probe probe, Judge judge) {
        ProbeCount count = ProbeCount.NONE;
        Duration pause = probe.initialDelay();
        try {
            while (!container.ended(pause)) {
                boolean answers = answers(probe);
                if (listener.asleep()) {
                    count = ProbeCount.NONE;
                    continue;
                }
                count = count.after(answers, probe.period(), System.nanoTime());
                Next next = judge.judge(count);
                if (next == Next.STOP) {
                    return;
                }
                boolean soon = next == Next.SOON && impatience.compareTo(probe.period()) < 0;
                pause = soon ? impatience : probe.period();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean answers(Probe probe) throws InterruptedException {
        String address = container.environment().address();
        int millis = (int) probe.timeout().toMillis();
        try {
            return switch (probe.check()) {
                case Probe.Http(int port, String path) -> http("http://" + address + ":" + port + path, millis);
                case Probe.Tcp(int port) -> tcp(new InetSocketAddress(address, port), millis);
                case Probe.Exec exec -> engine.exec(container, exec.command(), probe.timeout());
                case Probe.Unknown _ -> false;
            };
        } catch (IOException noAnswer) {
            return false;
        }
    }

    private static boolean http(String address, int millis) throws IOException {
        var connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
        try {
            connection.setConnectTimeout(millis);
            connection.setReadTimeout(millis);
            connection.setInstanceFollowRedirects(false);
            connection.setRequestProperty("Connection", "close");
            int code = connection.getResponseCode();
            return code >= 200 && code < 400;
        } finally {
            connection.disconnect();
        }
    }

    private static boolean tcp(InetSocketAddress address, int millis) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(address, millis);
            return true;
        }
    }
}
