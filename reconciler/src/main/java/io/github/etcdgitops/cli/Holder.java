package io.github.etcdgitops.cli;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

/// Who holds a Lease, in a form that tells another run for certain when the holder is no more: a pod by its UID, a
/// process by machine, process namespace, number and start.
final class Holder {
    private Holder() {}

    static String self(Map<String, String> environment) {
        String pod = environment.getOrDefault("POD_NAME", "");
        String namespace = environment.getOrDefault("POD_NAMESPACE", "");
        String uid = environment.getOrDefault("POD_UID", "");
        if (!pod.isEmpty() && !namespace.isEmpty() && !uid.isEmpty()) {
            return "pod/" + namespace + "/" + pod + "/" + uid;
        }
        var process = ProcessHandle.current();
        return "process/" + machine() + "/" + process.pid() + "/" + start(process);
    }

    /// True only when it is certain. A holder on another machine, or one that cannot be looked up, may be there still.
    static boolean gone(String holder, KubernetesGateway kube) {
        String[] parts = holder.split("/", -1);
        try {
            return switch (parts[0]) {
                case "pod" -> parts.length == 4 && !kube.podMayRun(parts[1], parts[2], parts[3]);
                case "process" -> parts.length == 5 && onThisMachine(parts) && ended(parts);
                default -> false;
            };
        } catch (GatewayException | NumberFormatException _) {
            return false;
        }
    }

    private static boolean onThisMachine(String[] parts) {
        String machine = machine();
        return !machine.contains("unknown") && machine.equals(parts[1] + "/" + parts[2]);
    }

    private static boolean ended(String[] parts) {
        return ProcessHandle.of(Long.parseLong(parts[3]))
                .filter(p -> String.valueOf(start(p)).equals(parts[4]))
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
