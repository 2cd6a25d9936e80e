package io.github.etcdgitops.sandbox.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.sandbox.process.Containment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The environment and the command line of a container, expanded as the kubelet does, and translated:
/// containers of one machine share its network here, so "every address" and "this host" have to become the
/// pod's own address.
///
/// `localhost` needs no translation, because the pod's hosts file says what it is.
record Environment(Map<String, String> variables, String address) {
    static final String ANY_ADDRESS = "0.0.0.0";

    private static final String LOOPBACK = "127.0.0.1";
    private static final Pattern REFERENCE = Pattern.compile("\\$\\$|\\$\\(([A-Za-z0-9._-]+)\\)");

    static Environment of(ContainerSpec container, JsonNode pod, String address) {
        String name = pod.path("metadata").path("name").asText();
        var environment = new Environment(
                new TreeMap<>(
                        Containment.defaults(pod.path("spec").path("hostname").asText(name))),
                address);
        for (JsonNode variable : container.env()) {
            String key = variable.path("name").asText();
            String value = variable.has("valueFrom")
                    ? environment.field(key, variable.path("valueFrom"), pod)
                    : environment.expand(variable.path("value").asText(""));
            value = value.replace(ANY_ADDRESS, address);
            environment.variables.put(key, key.startsWith("ETCDCTL_") ? value.replace(LOOPBACK, "localhost") : value);
        }
        return environment;
    }

    /// Not "localhost" for this host: etcd listens on nothing but addresses.
    List<String> line(List<String> words) {
        return words.stream()
                .map(word -> expand(word).replace(ANY_ADDRESS, address).replace(LOOPBACK, address))
                .toList();
    }

    /// A probe's command; the kubelet expands nothing in it.
    List<String> probe(List<String> command) {
        return command.stream().map(word -> word.replace(LOOPBACK, "localhost")).toList();
    }

    private String field(String variable, JsonNode from, JsonNode pod) {
        String path = from.path("fieldRef").path("fieldPath").asText();
        return switch (path) {
            case "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName" ->
                pod.at("/" + path.replace('.', '/')).asText("");
            case "status.podIP" -> address;
            case "status.hostIP" -> MachineNodes.ADDRESS;
            default ->
                throw new StartFailure(
                        "CreateContainerConfigError",
                        "variable " + variable + ": the sandbox cannot fill it from " + from);
        };
    }

    /// `$(NAME)` becomes the variable's value and stays as it is when there is none; `$$` is a dollar.
    private String expand(String text) {
        return REFERENCE.matcher(text).replaceAll(found -> {
            String name = found.group(1);
            return Matcher.quoteReplacement(name == null ? "$" : variables.getOrDefault(name, found.group()));
        });
    }
}
