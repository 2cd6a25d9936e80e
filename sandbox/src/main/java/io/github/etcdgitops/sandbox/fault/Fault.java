package io.github.etcdgitops.sandbox.fault;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Something that goes wrong on request, in the words of the command line.
public sealed interface Fault {
    /// The container's process is killed; the machine starts it again.
    record KillPod(PodName pod) implements Fault {}

    /// The process is killed and finds an empty disk when it is back.
    record WipeVolume(PodName pod) implements Fault {}

    /// The process is killed; its volume is gone for good, and the claim is Lost.
    record LoseVolume(PodName pod) implements Fault {}

    /// The member and its peers do not reach one another any more. Clients still reach it.
    record Isolate(PodName pod) implements Fault {}

    /// Ends an isolation.
    record Heal(PodName pod) implements Fault {}

    /// The machine is gone with everything on it; nothing on it is confirmed any more.
    record NodeGone(String node) implements Fault {}

    /// The machine stands still with everything on it, and nothing is heard of it.
    record NodeFrozen(String node) implements Fault {}

    /// Ends either.
    record NodeBack(String node) implements Fault {}

    /// The API server refuses connections and cuts the open ones; for so long, or until [ApiUp].
    record ApiDown(Optional<Duration> length) implements Fault {}

    record ApiUp() implements Fault {}

    record PodName(String namespace, String name) {
        public static PodName parse(String text) {
            int slash = text.indexOf('/');
            if (slash < 1 || slash == text.length() - 1) {
                throw new IllegalArgumentException(
                        "'" + text + "' names no pod; expected NAMESPACE/NAME, such as demo/orders-0");
            }
            return new PodName(text.substring(0, slash), text.substring(slash + 1));
        }

        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /// Throws IllegalArgumentException, for people to read, when the words are no fault.
    static Fault parse(List<String> words) {
        if (words.isEmpty()) {
            throw new IllegalArgumentException("which fault? See: sandbox fault --help");
        }
        var rest = words.subList(1, words.size());
        return switch (words.getFirst()) {
            case "kill-pod" -> new KillPod(pod(rest));
            case "wipe-volume" -> new WipeVolume(pod(rest));
            case "lose-volume" -> new LoseVolume(pod(rest));
            case "isolate" -> new Isolate(pod(rest));
            case "heal" -> new Heal(pod(rest));
            case "node-gone" -> new NodeGone(only(rest, "a node"));
            case "node-frozen" -> new NodeFrozen(only(rest, "a node"));
            case "node-back" -> new NodeBack(only(rest, "a node"));
            case "api-down" -> new ApiDown(rest.isEmpty() ? Optional.empty() : Optional.of(seconds(rest)));
            case "api-up" -> none(rest);
            default ->
                throw new IllegalArgumentException(
                        "there is no fault '" + words.getFirst() + "'; see: sandbox fault --help");
        };
    }

    private static PodName pod(List<String> words) {
        return PodName.parse(only(words, "a pod"));
    }

    private static String only(List<String> words, String what) {
        if (words.size() != 1) {
            throw new IllegalArgumentException("expected " + what + " and nothing else, found " + words);
        }
        return words.getFirst();
    }

    private static Duration seconds(List<String> words) {
        String text = only(words, "a number of seconds");
        if (!text.matches("[1-9][0-9]{0,4}")) {
            throw new IllegalArgumentException("'" + text + "' is no number of seconds from 1 to 99999");
        }
        return Duration.ofSeconds(Long.parseLong(text));
    }

    private static ApiUp none(List<String> words) {
        if (!words.isEmpty()) {
            throw new IllegalArgumentException("expected nothing after api-up, found " + words);
        }
        return new ApiUp();
    }
}
