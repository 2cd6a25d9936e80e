package io.github.etcdgitops.sandbox.api;

import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.PodLogs;
import io.github.etcdgitops.sandbox.objects.Refusal;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

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
        if (objects.find(Resource.POD, target.namespace(), target.name()).isEmpty()) {
            throw Refusal.notFound(Resource.POD, target.name());
        }
        if (call.flag("previous")) {
            throw Refusal.badRequest("previous terminated container in pod \"" + target.name() + "\" not found");
        }
        long skipped = 0;
        if (call.number("tailLines").isPresent()) {
            try (InputStream all = opened(target, false)) {
                skipped = Math.max(0, lines(all) - call.number("tailLines").orElse(0L));
            }
        }
        InputStream text = opened(target, call.flag("follow"));
        while (skipped > 0) {
            int next = text.read();
            skipped = next < 0 ? 0 : next == '\n' ? skipped - 1 : skipped;
        }
        return text;
    }

    private InputStream opened(Target target, boolean follow) {
        return logs.open(target.namespace(), target.name(), follow)
                .orElseThrow(() -> Refusal.badRequest(
                        "container in pod \"" + target.name() + "\" is waiting to start: ContainerCreating"));
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
