package io.github.etcdgitops.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The settings that a foreign member got at its start: etcd's flags by name, without dashes. A flag
/// overrides `ETCD_*` in the environment. `obscure` are words and variables that could not be understood,
/// by name and never by value.
public record ForeignFlags(SortedMap<String, String> values, List<String> obscure) {
    private static final String PREFIX = "ETCD_";
    private static final Pattern REFERENCE = Pattern.compile("\\$\\(([A-Za-z_.-][A-Za-z0-9_.-]*)\\)");
    private static final Pattern BINARY = Pattern.compile("(/[A-Za-z0-9._/-]+/)?etcd");

    /// Variables that images set, and that are no settings of the server.
    private static final List<String> NO_SETTINGS = List.of("ETCD_VERSION", "ETCD_VER");

    public ForeignFlags {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
        obscure = obscure.stream().sorted().distinct().toList();
    }

    /// The flags with which the kubelet would start the member of this pod.
    public static ForeignFlags of(Foreign.Container container, Foreign.Pod pod, String namespace) {
        var obscure = new ArrayList<String>();
        var variables = variables(container, pod, namespace, obscure);
        var values = new TreeMap<String, String>();
        variables.forEach((name, value) -> {
            if (name.startsWith(PREFIX) && !NO_SETTINGS.contains(name)) {
                values.put(
                        name.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '-'), value);
            }
        });
        if (container.more()) {
            obscure.add("envFrom");
        }
        values.putAll(words(container, variables, obscure));
        return new ForeignFlags(values, obscure);
    }

    /// Whether the container starts etcd itself, and not a shell or a script.
    public static boolean startsEtcd(Foreign.Container container) {
        return program(container).isPresent();
    }

    /// The words after the program's name. Without a command, words that start with a dash are the
    /// arguments of the image's own program.
    private static Optional<List<String>> program(Foreign.Container container) {
        var all = new ArrayList<>(container.command());
        all.addAll(container.args());
        if (container.command().isEmpty() && (all.isEmpty() || all.getFirst().startsWith("-"))) {
            return Optional.of(all);
        }
        return BINARY.matcher(all.getFirst()).matches()
                ? Optional.of(List.copyOf(all.subList(1, all.size())))
                : Optional.empty();
    }

    private static Map<String, String> variables(
            Foreign.Container container, Foreign.Pod pod, String namespace, List<String> obscure) {
        var variables = new LinkedHashMap<String, String>();
        for (var variable : container.environment()) {
            var value = variable.text()
                    .map(text -> expanded(text, variables))
                    .or(() -> variable.field().flatMap(field -> ofPod(field, pod, namespace)));
            if (value.isPresent()) {
                variables.put(variable.name(), value.get());
            } else if (variable.name().startsWith(PREFIX)) {
                obscure.add("the variable " + variable.name());
            }
        }
        return variables;
    }

    private static Optional<String> ofPod(String field, Foreign.Pod pod, String namespace) {
        return switch (field) {
            case "metadata.name" -> Optional.of(pod.name());
            case "metadata.namespace" -> Optional.of(namespace);
            case "status.podIP" -> pod.ip();
            default -> Optional.empty();
        };
    }

    private static Map<String, String> words(
            Foreign.Container container, Map<String, String> variables, List<String> obscure) {
        var flags = new HashMap<String, String>();
        var words = program(container).orElse(List.of());
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (!word.startsWith("-")) {
                obscure.add("an argument without a flag");
                continue;
            }
            String flag = word.startsWith("--") ? word.substring(2) : word.substring(1);
            int equals = flag.indexOf('=');
            String name = equals < 0 ? flag : flag.substring(0, equals);
            boolean separate =
                    equals < 0 && i + 1 < words.size() && !words.get(i + 1).startsWith("-");
            String value = equals >= 0 ? flag.substring(equals + 1) : separate ? words.get(++i) : "true";
            flags.put(name, expanded(value, variables));
            if (REFERENCE.matcher(flags.get(name)).find()) {
                obscure.add("--" + name);
            }
        }
        return flags;
    }

    /// As Kubernetes does it: unknown variables stay as they are.
    private static String expanded(String text, Map<String, String> variables) {
        return REFERENCE
                .matcher(text)
                .replaceAll(found -> java.util.regex.Matcher.quoteReplacement(
                        Optional.ofNullable(variables.get(found.group(1))).orElse(found.group())));
    }
}
