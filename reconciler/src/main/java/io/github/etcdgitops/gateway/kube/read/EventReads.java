package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.inert.Inert;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.health.StartTrouble.Subject;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/// Events of Kubernetes about objects that do not reach their wanted state. Controllers report it nowhere
/// else: why a StatefulSet cannot create a pod (a quota, an admission webhook), why a claim gets no volume,
/// why a volume does not attach to a node.
///
/// Anyone who may create Events can write there. So it is text for people, and no decision depends on it.
public record EventReads(RingApis apis) {
    /// Controllers increase the count of one Event instead of adding others.
    private static final int MOST = 20;
    private static final int LONGEST = 300;

    public Optional<String> warning(ClusterRef ref, Subject about) {
        var newest = new AtomicReference<Warning>();
        try {
            String fields = "involvedObject.kind=" + about.kind() + ",involvedObject.name=" + about.name()
                    + ",involvedObject.uid=" + about.uid() + ",type=Warning";
            apis.of(ref)
                    .page(
                            new KubeApi.Query(
                                    ObjectKind.EVENT,
                                    about.namespace().orElseGet(ref::namespace),
                                    "",
                                    fields,
                                    MOST,
                                    false),
                            "",
                            (event, _) -> newest.accumulateAndGet(Warning.of(event), Warning::later));
        } catch (GatewayException _) {
            // Missing Events must not cause a failure.
        }
        return Optional.ofNullable(newest.get()).map(Warning::text).filter(text -> !text.isEmpty());
    }

    /// `at` is RFC 3339, as the API server writes it: the texts sort by time.
    private record Warning(String at, String text) {
        static Warning of(JsonNode event) {
            if (event.path("source").path("component").asText().equals(Labels.MANAGER)) {
                return new Warning("", "");
            }
            String at = Stream.of(
                            event.path("lastTimestamp"),
                            event.path("eventTime"),
                            event.path("metadata").path("creationTimestamp"))
                    .map(JsonNode::asText)
                    .filter(text -> !text.isEmpty() && !text.equals("null"))
                    .findFirst()
                    .orElse("");
            String text = Inert.line(
                    event.path("reason").asText() + ": " + event.path("message").asText());
            return new Warning(at, text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text);
        }

        static Warning later(Warning one, Warning other) {
            return one == null || one.at().compareTo(other.at()) <= 0 ? other : one;
        }
    }
}
