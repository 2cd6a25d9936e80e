package io.github.etcdgitops.gateway.kube.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.Watermarks;
import io.github.etcdgitops.gateway.kube.api.CanonicalJson;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.inert.Mark;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/// [Watermarks] in a ConfigMap `etcd-gitops-watermark-ENVIRONMENT` of the reconciler's own namespace, with
/// an entry for each branch. Its `resourceVersion` detects two concurrent writers.
public final class WatermarkConfigMaps implements Watermarks {
    private static final String DATA = "data";
    private static final String REPOSITORY = "repository";
    private static final String REF = "ref";
    private static final String COMMIT = "commit";
    private static final String COMMIT_ID = "[0-9a-f]{40}";
    private static final String RULES = "approvalRules";
    private static final String ENVIRONMENT = "environment";
    private static final String REWRITTEN = "acceptedRewritten";

    private final KubeApi api;
    private final String namespace;

    public WatermarkConfigMaps(KubeConnection connection, String namespace) {
        this.api = connection.own();
        this.namespace = namespace;
    }

    @Override
    public Found read(Subject subject) {
        return get(subject)
                .map(object -> new Found(mark(object, subject), Tree.resourceVersion(object)))
                .orElse(new Found(Optional.empty(), ""));
    }

    private Optional<ObjectNode> get(Subject subject) {
        return api.get(ObjectKind.CONFIG_MAP, namespace, name(subject));
    }

    /// An unreadable entry is not an absent one: that would let any commit pass.
    private Optional<Mark> mark(ObjectNode object, Subject subject) {
        JsonNode text = object.path(DATA).path(key(subject));
        if (text.isMissingNode()) {
            return Optional.empty();
        }
        try {
            ObjectNode entry = Tree.parse(text.asText().getBytes(StandardCharsets.UTF_8));
            String commit = entry.path(COMMIT).asText();
            // Before this was stored, each run used the rules of its own commit.
            String rules = entry.path(RULES).asText(commit);
            if (commit.matches(COMMIT_ID) && rules.matches(COMMIT_ID)) {
                return Optional.of(new Mark(
                        commit,
                        Optional.ofNullable(entry.path(REWRITTEN).textValue()),
                        rules,
                        entry.path(ENVIRONMENT).asText(subject.environment())));
            }
        } catch (IOException _) {
            // Reported below.
        }
        throw new GatewayException(
                Kind.REJECTED,
                false,
                "the ConfigMap " + namespace + "/" + name(subject) + " has an entry " + key(subject)
                        + " that cannot be understood. Fix it, or delete the entry to start again");
    }

    @Override
    public void write(Subject subject, Mark mark, Found found) {
        ObjectNode object = get(subject).orElseGet(() -> Tree.ofReconciler(namespace, name(subject)));
        if (!Tree.resourceVersion(object).equals(found.version())) {
            throw new GatewayException(
                    Kind.CONFLICT,
                    false,
                    "another run has just written the ConfigMap " + namespace + "/" + name(subject)
                            + ": the next run reads it again");
        }
        object.withObjectProperty(DATA).put(key(subject), entry(subject, mark));
        if (found.version().isEmpty()) {
            api.create(ObjectKind.CONFIG_MAP, namespace, object);
        } else {
            api.update(ObjectKind.CONFIG_MAP, namespace, object);
        }
    }

    private static String entry(Subject subject, Mark mark) {
        ObjectNode entry = Tree.object()
                .put(REPOSITORY, subject.repository())
                .put(REF, subject.ref())
                .put(COMMIT, mark.commit())
                .put(RULES, mark.rules())
                .put(ENVIRONMENT, mark.environment());
        mark.rewritten().ifPresent(commit -> entry.put(REWRITTEN, commit));
        return Tree.text(entry);
    }

    private static String name(Subject subject) {
        return "etcd-gitops-watermark-" + subject.environment();
    }

    /// Addresses and refs have characters that are invalid in a ConfigMap key.
    private static String key(Subject subject) {
        return CanonicalJson.digest(Map.of(REPOSITORY, subject.repository(), REF, subject.ref()))
                .substring(0, 32);
    }
}
