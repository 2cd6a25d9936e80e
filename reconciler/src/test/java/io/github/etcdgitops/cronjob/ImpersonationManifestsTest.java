package io.github.etcdgitops.cronjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleRef;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.github.etcdgitops.gateway.access.Permission.Need;
import io.github.etcdgitops.gateway.access.Permissions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the identities of `overlays/impersonated` may do, by the bindings that kustomize renders.
class ImpersonationManifestsTest {
    private static final String OVERLAY = "overlays/impersonated";

    /// These have no namespace, so that no Role can grant them.
    private static final List<String> OF_NO_NAMESPACE = List.of("storageclasses", "nodes", "persistentvolumes");

    /// What people write into their own overlay.
    private static final Pattern EXAMPLE = Pattern.compile("(?s)configMapGenerator:\n.*?(?=```)");

    private static List<HasMetadata> rendered() {
        var objects = Manifests.render(OVERLAY);
        assumeTrue(objects.isPresent(), "kubectl is not installed");
        return objects.orElseThrow();
    }

    /// `VERB RESOURCE [in NAMESPACE] [named NAMES]`, one a verb and resource.
    private static SortedSet<String> granted(List<HasMetadata> objects, String account) {
        return objects.stream()
                .flatMap(object -> granted(objects, object, account))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> granted(List<HasMetadata> objects, HasMetadata object, String account) {
        return switch (object) {
            case ClusterRoleBinding b
            when names(b.getSubjects(), account) ->
                rules(objects, b.getRoleRef(), "").flatMap(rule -> words(rule, ""));
            case RoleBinding b
            when names(b.getSubjects(), account) ->
                rules(objects, b.getRoleRef(), b.getMetadata().getNamespace())
                        .flatMap(rule -> words(rule, " in " + b.getMetadata().getNamespace()));
            default -> Stream.of();
        };
    }

    private static boolean names(List<Subject> subjects, String account) {
        return subjects.stream().anyMatch(s -> (s.getNamespace() + "/" + s.getName()).equals(account));
    }

    private static Stream<PolicyRule> rules(List<HasMetadata> objects, RoleRef role, String namespace) {
        var found = objects.stream()
                .filter(o -> o.getKind().equals(role.getKind())
                        && o.getMetadata().getName().equals(role.getName())
                        && (o instanceof ClusterRole
                                || namespace.equals(o.getMetadata().getNamespace())))
                .toList();
        assertThat(found).as(role.getName()).hasSize(1);
        return switch (found.getFirst()) {
            case ClusterRole r -> r.getRules().stream();
            case Role r -> r.getRules().stream();
            default -> Stream.of();
        };
    }

    private static Stream<String> words(PolicyRule rule, String where) {
        String named = rule.getResourceNames().isEmpty() ? "" : " named " + String.join(", ", rule.getResourceNames());
        return rule.getResources().stream()
                .flatMap(resource -> rule.getVerbs().stream().map(verb -> verb + " " + resource + where + named));
    }

    @Test
    void grantsExecutorOnlyListedRights() {
        assertThat(granted(rendered(), "etcd-gitops/etcd-gitops-executor"))
                .containsExactlyInAnyOrder(
                        "list pods",
                        "list persistentvolumeclaims",
                        "list configmaps",
                        "list services",
                        "list statefulsets",
                        "list poddisruptionbudgets",
                        "list networkpolicies",
                        "list nodes",
                        "get nodes",
                        "get persistentvolumes",
                        "get storageclasses",
                        "get namespaces named kube-system, etcd-gitops",
                        "get pods in etcd-gitops",
                        "get configmaps in etcd-gitops",
                        "create configmaps in etcd-gitops",
                        "update configmaps in etcd-gitops",
                        "get serviceaccounts in demo named etcd-rings",
                        "impersonate serviceaccounts in demo named etcd-rings");
    }

    @Test
    void tenantAccountHasRightsInItsNamespaceOnly() {
        var unasked = EnumSet.of(Need.TLS, Need.AUTH, Need.CERT_MANAGER, Need.PORT_FORWARD, Need.NEW_NAMESPACE);
        var needed = Permissions.ALL.stream()
                .filter(p -> !unasked.contains(p.need()) && !OF_NO_NAMESPACE.contains(p.resource()))
                .filter(p -> !p.verb().equals("list")
                        || List.of("pods", "statefulsets", "events", "resourcequotas")
                                .contains(p.resource()))
                .map(p -> p.verb() + " " + p.target() + " in demo")
                .toList();

        assertThat(granted(rendered(), "demo/etcd-rings")).isEqualTo(new TreeSet<>(needed));
    }

    @Test
    void grantsPlannerOnlyReads() {
        assertThat(granted(rendered(), "etcd-gitops/etcd-gitops-planner"))
                .isNotEmpty()
                .allMatch(right -> right.startsWith("get ") || right.startsWith("list "))
                .noneMatch(right -> right.contains("portforward") || right.contains("secrets"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"base", "overlays/dry-run", "overlays/namespaced", OVERLAY, "overlays/serve", "overlays/sharded"
            })
    void noOverlayGrantsPortForwards(String overlay) {
        var objects = Manifests.render(overlay);
        assumeTrue(objects.isPresent(), "kubectl is not installed");

        assertThat(Stream.of("planner", "executor")
                        .flatMap(name -> granted(objects.orElseThrow(), "etcd-gitops/etcd-gitops-" + name).stream()))
                .isNotEmpty()
                .noneMatch(right -> right.contains("portforward"));
    }

    /// It may write ConfigMaps there, and the settings say where the token for Git goes.
    @Test
    void makesSettingsConfigMapImmutable(@TempDir Path overlay) throws IOException {
        var cronjob = overlay.toRealPath().relativize(Manifests.FOLDER.toRealPath());
        var example = EXAMPLE.matcher(Files.readString(Manifests.FOLDER.resolve("README.md")));
        assertThat(example.find()).isTrue();
        Files.writeString(overlay.resolve("etcd-gitops.properties"), "repo=https://git.example.org/mine.git\n");
        Files.writeString(
                overlay.resolve("kustomization.yaml"),
                "resources: [" + cronjob + "/overlays/impersonated]\n" + example.group());
        var mine = Manifests.render(overlay.toString());
        assumeTrue(mine.isPresent(), "kubectl is not installed");

        assertThat(settings(rendered()))
                .singleElement()
                .satisfies(s -> assertThat(s.getImmutable()).isTrue());
        assertThat(settings(mine.orElseThrow())).singleElement().satisfies(s -> {
            assertThat(s.getData().get("etcd-gitops.properties")).contains("mine.git");
            assertThat(s.getImmutable()).isTrue();
        });
    }

    private static List<ConfigMap> settings(List<HasMetadata> objects) {
        return objects.stream()
                .filter(ConfigMap.class::isInstance)
                .map(ConfigMap.class::cast)
                .toList();
    }

    @Test
    void everyCronJobImpersonatesAndTheDryRunDoesNot() {
        var dry = Manifests.render("overlays/dry-run");
        assumeTrue(dry.isPresent(), "kubectl is not installed");

        assertThat(arguments(rendered())).contains("--default-service-account=etcd-rings");
        assertThat(arguments(dry.orElseThrow())).contains("--no-impersonation");
    }

    private static List<String> arguments(List<HasMetadata> objects) {
        return Manifests.pods(objects)
                .findFirst()
                .orElseThrow()
                .getContainers()
                .getFirst()
                .getArgs();
    }
}
