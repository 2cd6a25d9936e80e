package io.github.etcdgitops.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.access.Permission.Role;
import io.github.etcdgitops.gateway.access.Permissions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// The rights that the code uses are those that people are told to give, neither fewer nor more.
class PermissionsTest {
    private static final List<Path> RULES = List.of(
            Path.of("../cronjob/common/rbac.yaml"),
            Path.of("../cronjob/components/port-forward/rbac.yaml"),
            Path.of("../cronjob/components/cert-manager/rbac.yaml"),
            Path.of("../cronjob/components/tls/roles.yaml"),
            Path.of("../cronjob/components/auth/roles.yaml"));

    /// The role that each Role and ClusterRole is for. A role that is not named here grants nothing
    /// that anybody asked for.
    private static final Map<String, Role> ROLES = Map.of(
            "etcd-gitops-planner", Role.PLANNER,
            "etcd-gitops-port-forward", Role.PLANNER,
            "etcd-gitops-tls-planner", Role.PLANNER,
            "etcd-gitops-executor", Role.EXECUTOR,
            "etcd-gitops-cert-manager", Role.EXECUTOR,
            "etcd-gitops-tls-executor", Role.EXECUTOR,
            "etcd-gitops-auth-executor", Role.EXECUTOR);

    private static List<?> list(Map<?, ?> map, String key) {
        return map.get(key) instanceof List<?> list ? list : List.of();
    }

    private static Stream<String> granted(Map<?, ?> document) {
        if (!(document.get("metadata") instanceof Map<?, ?> metadata)
                || !String.valueOf(document.get("kind")).endsWith("Role")) {
            return Stream.of();
        }
        String role = String.valueOf(ROLES.get(String.valueOf(metadata.get("name"))));
        return list(document, "rules").stream()
                .map(rule -> (Map<?, ?>) rule)
                .flatMap(rule -> list(rule, "apiGroups").stream()
                        .flatMap(group -> list(rule, "resources").stream()
                                .flatMap(resource -> list(rule, "verbs").stream()
                                        .map(verb -> role + " may " + verb + " " + resource + " of '" + group + "'"))));
    }

    @Test
    void installedRightsAreTheUsedOnes() throws IOException {
        var installed = new TreeSet<String>();
        for (Path file : RULES) {
            StreamSupport.stream(
                            new Yaml(new SafeConstructor(new LoaderOptions()))
                                    .loadAll(Files.readString(file))
                                    .spliterator(),
                            false)
                    .filter(document -> document instanceof Map<?, ?>)
                    .flatMap(document -> granted((Map<?, ?>) document))
                    .forEach(installed::add);
        }

        assertThat(installed)
                .isEqualTo(new TreeSet<>(Permissions.ALL.stream()
                        .map(p -> p.role() + " may " + p.verb() + " " + p.target() + " of '" + p.apiGroup() + "'")
                        .toList()));
    }

    @Test
    void listsNoRightTwice() {
        assertThat(Permissions.ALL).doesNotHaveDuplicates();
    }
}
