package io.github.etcdgitops.cronjob;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// What lies in `cronjob/`, as objects of a newer Kubernetes than any that was at hand to try it on.
final class Manifests {
    static final Path FOLDER = Path.of("../cronjob");

    private static final Map<String, Class<? extends HasMetadata>> KINDS = Map.ofEntries(
            Map.entry("v1 Namespace", Namespace.class),
            Map.entry("v1 ServiceAccount", ServiceAccount.class),
            Map.entry("v1 ConfigMap", ConfigMap.class),
            Map.entry("v1 Service", Service.class),
            Map.entry("apps/v1 Deployment", Deployment.class),
            Map.entry("batch/v1 CronJob", CronJob.class),
            Map.entry("batch/v1beta1 CronJob", io.fabric8.kubernetes.api.model.batch.v1beta1.CronJob.class),
            Map.entry("networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class),
            Map.entry("rbac.authorization.k8s.io/v1 ClusterRole", ClusterRole.class),
            Map.entry("rbac.authorization.k8s.io/v1 ClusterRoleBinding", ClusterRoleBinding.class),
            Map.entry("rbac.authorization.k8s.io/v1 Role", Role.class),
            Map.entry("rbac.authorization.k8s.io/v1 RoleBinding", RoleBinding.class));

    private static final YAMLMapper YAML = new YAMLMapper();

    /// The model keeps unknown fields aside; here they are an error.
    private static final ObjectMapper STRICT = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .setAnnotationIntrospector(new JacksonAnnotationIntrospector() {
                @Override
                public Boolean hasAnySetter(Annotated member) {
                    return false;
                }
            });

    private Manifests() {}

    /// Files that hold objects; those of kustomize itself are checked by rendering them.
    static List<Path> files() {
        try (Stream<Path> walk = Files.walk(FOLDER)) {
            return walk.filter(f -> f.toString().endsWith(".yaml"))
                    .filter(f -> !f.endsWith("kustomization.yaml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<HasMetadata> read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<HasMetadata> parse(String yaml) {
        var objects = new ArrayList<HasMetadata>();
        try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(yaml)) {
            while (documents.hasNext()) {
                JsonNode document = documents.next();
                String kind = document.path("apiVersion").asText() + " "
                        + document.path("kind").asText();
                var type = KINDS.get(kind);
                if (type == null) {
                    throw new IllegalArgumentException("no object of " + kind + " is expected in cronjob/");
                }
                objects.add(STRICT.treeToValue(document, type));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return objects;
    }

    /// What `kubectl apply -k` would send; empty where there is no kubectl.
    static Optional<List<HasMetadata>> render(String overlay) {
        try {
            var process = new ProcessBuilder(
                            "kubectl", "kustomize", FOLDER.resolve(overlay).toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String yaml = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IllegalStateException("kubectl kustomize cronjob/" + overlay + " failed");
            }
            return Optional.of(parse(yaml));
        } catch (IOException _) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static Stream<PodSpec> pods(List<HasMetadata> objects) {
        return objects.stream().flatMap(o -> switch (o) {
            case CronJob c ->
                Stream.of(c.getSpec().getJobTemplate().getSpec().getTemplate().getSpec());
            case io.fabric8.kubernetes.api.model.batch.v1beta1.CronJob c ->
                Stream.of(c.getSpec().getJobTemplate().getSpec().getTemplate().getSpec());
            case Deployment d -> Stream.of(d.getSpec().getTemplate().getSpec());
            default -> Stream.of();
        });
    }
}
