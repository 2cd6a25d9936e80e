package io.github.etcdgitops.cli.wiring;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// The holder name of a Lease, from which another run can decide with certainty that the holder is gone:
/// machine, process namespace, number and start of the process, and in a pod also the pod's UID. Two
/// processes of one pod are two holders: a person may start one beside a running one.
public final class LeaseHolderName {
    private static final int POD_PARTS = 8;
    private static final int PROCESS_PARTS = 5;

    private LeaseHolderName() {}

    public static String self(Map<String, String> environment) {
        var process = ProcessHandle.current();
        String self = machine() + "/" + process.pid() + "/" + start(process);
        return pod(environment).map(pod -> "pod/" + pod + "/" + self).orElse("process/" + self);
    }

    /// `NAMESPACE/NAME/UID` of our own pod, where there is one.
    private static Optional<String> pod(Map<String, String> environment) {
        String pod = environment.getOrDefault("POD_NAME", "");
        String namespace = environment.getOrDefault("POD_NAMESPACE", "");
        String uid = environment.getOrDefault("POD_UID", "");
        return pod.isEmpty() || namespace.isEmpty() || uid.isEmpty()
                ? Optional.empty()
                : Optional.of(namespace + "/" + pod + "/" + uid);
    }

    /// True only when it is certain. A holder on another machine, or one that cannot be looked up, may
    /// still exist.
    public static boolean gone(String holder, Map<String, String> environment, KubernetesGateway kube) {
        String[] parts = holder.split("/", -1);
        try {
            return switch (parts[0]) {
                case "pod" ->
                    parts.length == POD_PARTS
                            && (endedInOwnPod(parts, environment) || !kube.podMayRun(parts[1], parts[2], parts[3]));
                case "process" ->
                    parts.length == PROCESS_PARTS && onThisMachine(parts[1], parts[2]) && ended(parts[3], parts[4]);
                default -> false;
            };
        } catch (GatewayException | NumberFormatException _) {
            return false;
        }
    }

    /// A restarted container has another process namespace, and no process of the former one runs.
    private static boolean endedInOwnPod(String[] parts, Map<String, String> environment) {
        boolean own = pod(environment)
                .filter((parts[1] + "/" + parts[2] + "/" + parts[3])::equals)
                .isPresent();
        boolean known = !machine().contains("unknown") && !parts[4].equals("unknown") && !parts[5].equals("unknown");
        return own && known && (!onThisMachine(parts[4], parts[5]) || ended(parts[6], parts[7]));
    }

    private static boolean onThisMachine(String boot, String processes) {
        String machine = machine();
        return !machine.contains("unknown") && machine.equals(boot + "/" + processes);
    }

    private static boolean ended(String number, String start) {
        return ProcessHandle.of(Long.parseLong(number))
                .filter(p -> String.valueOf(start(p)).equals(start))
                .isEmpty();
    }

    private static long start(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /// This boot of this machine and this process namespace; process numbers mean nothing outside of it.
    private static String machine() {
        return read("/proc/sys/kernel/random/boot_id") + "/" + link("/proc/self/ns/pid");
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException _) {
            return "unknown";
        }
    }

    private static String link(String file) {
        try {
            return Files.readSymbolicLink(Path.of(file)).toString().replaceAll("[^0-9]", "");
        } catch (IOException _) {
            return "unknown";
        }
    }
}
