package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.PodLogs;
import io.github.etcdgitops.sandbox.objects.Refusal;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/// `pods/log`.
final class Logs {
    private final KubeObjects objects;
    private final PodLogs logs;

    Logs(KubeObjects objects, PodLogs logs) {
        this.objects = objects;
        this.logs = logs;
    }

    /// The text from where the client wants it. Throws [Refusal] when there is none.
    InputStream open(Call call) throws IOException {
        Target target = call.target();
        ObjectNode pod = objects.find(Resource.POD, target.namespace(), target.name())
                .orElseThrow(() -> Refusal.notFound(Resource.POD, target.name()));
        String container = container(pod, call.parameter("container"));
        if (call.flag("previous")) {
            throw Refusal.badRequest("previous terminated container in pod \"" + target.name() + "\" not found");
        }
        long skipped = 0;
        if (call.number("tailLines").isPresent()) {
            try (InputStream all = opened(target, container, false)) {
                skipped = Math.max(0, lines(all) - call.number("tailLines").orElse(0L));
            }
        }
        InputStream text = opened(target, container, call.flag("follow"));
        while (skipped > 0) {
            int next = text.read();
            skipped = next < 0 ? 0 : next == '\n' ? skipped - 1 : skipped;
        }
        return text;
    }

    /// The one that is asked for, or the only one.
    private static String container(ObjectNode pod, String wanted) {
        List<String> main = names(pod, "containers");
        List<String> first = names(pod, "initContainers");
        if (wanted.isEmpty() && main.size() == 1) {
            return main.getFirst();
        }
        if (wanted.isEmpty()) {
            throw Refusal.badRequest("a container name must be specified for pod " + Meta.name(pod)
                    + ", choose one of: [" + String.join(" ", main) + "]"
                    + (first.isEmpty() ? "" : " or one of the init containers: [" + String.join(" ", first) + "]"));
        }
        if (!main.contains(wanted) && !first.contains(wanted)) {
            throw Refusal.badRequest("container " + wanted + " is not valid for pod " + Meta.name(pod));
        }
        return wanted;
    }

    private static List<String> names(ObjectNode pod, String kind) {
        var names = new ArrayList<String>();
        pod.path("spec")
                .path(kind)
                .forEach(container -> names.add(container.path("name").asText()));
        return names;
    }

    private InputStream opened(Target target, String container, boolean follow) {
        return logs.open(target.namespace(), target.name(), container, follow)
                .orElseThrow(() -> Refusal.badRequest("container \"" + container + "\" in pod \"" + target.name()
                        + "\" is waiting to start: ContainerCreating"));
    }

    private static long lines(InputStream text) throws IOException {
        long lines = 0;
        try (var counting = new OutputStream() {
            private long ends;

            @Override
            public void write(int value) {
                ends += value == '\n' ? 1 : 0;
            }
        }) {
            text.transferTo(counting);
            lines = counting.ends;
        }
        return lines;
    }
}
