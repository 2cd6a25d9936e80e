package io.github.etcdgitops.cronjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.github.etcdgitops.cli.Cli;
import io.github.etcdgitops.cli.console.ExitCode;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Holds what ships in `cronjob/` to what a cluster would ask of it, and to the command line that it
/// calls.
class ManifestsTest {
    /// Trying again may help, or there was nothing wrong.
    private static final Set<ExitCode> NOT_FINAL =
            EnumSet.of(ExitCode.SUCCESS, ExitCode.CHANGES, ExitCode.BUG, ExitCode.TEMPORARY);

    private static final Pattern VARIABLE = Pattern.compile("\\$\\((\\w+)\\)");

    static Stream<Path> files() {
        return Manifests.files().stream();
    }

    static List<HasMetadata> everything() {
        return files().flatMap(f -> Manifests.read(f).stream()).toList();
    }

    private static List<HasMetadata> rendered(String overlay) {
        var objects = Manifests.render(overlay);
        assumeTrue(objects.isPresent(), "kubectl is not installed");
        return objects.orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyFieldIsOneOfKubernetes(Path file) {
        assertThat(Manifests.read(file)).isNotEmpty();
    }

    @Test
    void reportsMisspeltField() {
        String misspelt = "{apiVersion: batch/v1, kind: CronJob, spec: {timezone: UTC}}";

        assertThatThrownBy(() -> Manifests.parse(misspelt)).hasCauseInstanceOf(UnrecognizedPropertyException.class);
    }

    @Test
    void podsMeetTheRestrictedStandard() {
        assertThat(Manifests.pods(everything())).isNotEmpty().allSatisfy(ManifestsTest::isRestricted);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "base",
                "overlays/dry-run",
                "overlays/namespaced",
                "overlays/impersonated",
                "overlays/kubernetes-1.20",
                "overlays/serve",
                "overlays/sharded",
                "overlays/sharded-1.25",
                "overlays/sharded-1.20"
            })
    void everyOverlayIsSoundAsAWhole(String overlay) {
        var objects = rendered(overlay);

        var accounts = objects.stream()
                .filter(ServiceAccount.class::isInstance)
                .map(o -> o.getMetadata().getName())
                .toList();
        assertThat(Manifests.pods(objects)).isNotEmpty().allSatisfy(pod -> {
            isRestricted(pod);
            assertThat(accounts).contains(pod.getServiceAccountName());
            pod.getContainers().forEach(ManifestsTest::variablesAreThere);
            assertThat(pod.getTerminationGracePeriodSeconds())
                    .as("longer than what the process takes to end")
                    .isGreaterThan(grace(pod) + 5);
            assertThat(names(pod)).as("arguments").isSubsetOf(commandLine());
        });
        assertThat(objects.stream().filter(o -> !clusterWide(o)))
                .allSatisfy(o -> assertThat(o.getMetadata().getNamespace()).isNotBlank());
        assertThat(objects.stream().flatMap(ManifestsTest::subjects).map(Subject::getName))
                .isSubsetOf(accounts);
    }

    private static void isRestricted(PodSpec pod) {
        var context = pod.getSecurityContext();
        assertThat(context.getRunAsNonRoot()).isTrue();
        assertThat(context.getRunAsUser()).isEqualTo(65532);
        assertThat(context.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(pod.getEnableServiceLinks()).isFalse();
        assertThat(pod.getContainers()).isNotEmpty().allSatisfy(container -> {
            var own = container.getSecurityContext();
            assertThat(own.getAllowPrivilegeEscalation()).isFalse();
            assertThat(own.getReadOnlyRootFilesystem()).isTrue();
            assertThat(own.getCapabilities().getDrop()).containsExactly("ALL");
            assertThat(container.getResources().getLimits()).containsEntry("memory", new Quantity("512Mi"));
            assertThat(container.getVolumeMounts())
                    .anyMatch(m -> m.getMountPath().equals("/tmp"));
        });
    }

    private static void variablesAreThere(Container container) {
        // The Job controller adds the index of an Indexed Job itself.
        var known = new HashSet<>(Set.of("JOB_COMPLETION_INDEX"));
        container.getEnv().forEach(v -> known.add(v.getName()));
        for (String argument : container.getArgs()) {
            var used = VARIABLE.matcher(argument);
            while (used.find()) {
                assertThat(known).as(argument).contains(used.group(1));
            }
        }
    }

    /// Of the arguments, or the default of the option.
    private static int grace(PodSpec pod) {
        return pod.getContainers().stream()
                .flatMap(c -> c.getArgs().stream())
                .filter(a -> a.startsWith("--grace="))
                .map(a -> Integer.parseInt(a.substring("--grace=".length())))
                .findFirst()
                .orElse(60);
    }

    private static boolean clusterWide(HasMetadata object) {
        return Set.of("Namespace", "ClusterRole", "ClusterRoleBinding").contains(object.getKind());
    }

    private static Stream<Subject> subjects(HasMetadata object) {
        return switch (object) {
            case io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding b -> b.getSubjects().stream();
            case io.fabric8.kubernetes.api.model.rbac.RoleBinding b -> b.getSubjects().stream();
            default -> Stream.of();
        };
    }

    private static Set<String> names(PodSpec pod) {
        return pod.getContainers().stream()
                .flatMap(c -> c.getArgs().stream())
                .map(a -> a.replaceFirst("=.*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// Commands and options, as the help names them.
    private static Set<String> commandLine() {
        var words = new TreeSet<String>();
        for (String command : List.of("reconcile", "serve")) {
            var out = new ByteArrayOutputStream();
            var print = new PrintStream(out, true, StandardCharsets.UTF_8);
            if (Cli.run(new String[] {command, "--help"}, Map.of(), print, print) == 0) {
                words.add(command);
                words.addAll(Arrays.asList(out.toString(StandardCharsets.UTF_8).split("[^a-z-]+")));
            }
        }
        return words;
    }

    @Test
    void everySettingIsAnOption() {
        var out = new ByteArrayOutputStream();
        var print = new PrintStream(out, true, StandardCharsets.UTF_8);
        String file = Manifests.FOLDER.resolve("common/etcd-gitops.properties").toString();

        int code = Cli.run(new String[] {"version"}, Map.of("ETCD_GITOPS_CONFIG", file), print, print);

        assertThat(code).as(out.toString(StandardCharsets.UTF_8)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"base", "overlays/sharded", "overlays/sharded-1.25"})
    void exactlyTheCodesThatAnotherTryCannotChangeEndAJob(String overlay) {
        var expected = EnumSet.complementOf(EnumSet.copyOf(NOT_FINAL)).stream()
                .map(ExitCode::code)
                .toList();

        var jobs = rendered(overlay).stream().filter(CronJob.class::isInstance).map(CronJob.class::cast);

        assertThat(jobs).isNotEmpty().allSatisfy(job -> {
            var rules = job.getSpec()
                    .getJobTemplate()
                    .getSpec()
                    .getPodFailurePolicy()
                    .getRules();
            assertThat(rules.getFirst().getAction()).isEqualTo("Ignore");
            assertThat(rules.stream().skip(1).flatMap(r -> r.getOnExitCodes().getValues().stream()))
                    .containsExactlyInAnyOrderElementsOf(expected);
        });
    }

    @Test
    void dryRunOverlayGrantsOnlyReads() {
        var objects = rendered("overlays/dry-run");

        var verbs = objects.stream().flatMap(ManifestsTest::rules).flatMap(r -> r.getVerbs().stream());

        assertThat(verbs).isNotEmpty().containsOnly("get", "list");
        assertThat(Manifests.pods(objects))
                .allSatisfy(p -> assertThat(p.getServiceAccountName()).isEqualTo("etcd-gitops-planner"));
    }

    private static final Path TLS = Manifests.FOLDER.resolve("components/tls/roles.yaml");
    private static final Path AUTH = Manifests.FOLDER.resolve("components/auth/roles.yaml");

    private static List<PolicyRule> tlsRules(String role) {
        return rules(TLS, role);
    }

    private static List<PolicyRule> rules(Path file, String role) {
        return Manifests.read(file).stream()
                .filter(o -> o instanceof Role && o.getMetadata().getName().equals(role))
                .flatMap(ManifestsTest::rules)
                .toList();
    }

    @Test
    void allowsReconcilerEgressToEveryMemberPort() {
        var ports = everything().stream()
                .filter(NetworkPolicy.class::isInstance)
                .flatMap(policy -> ((NetworkPolicy) policy).getSpec().getEgress().stream())
                .filter(rule -> rule.getTo().stream()
                        .anyMatch(to -> to.getPodSelector() != null
                                && "etcd"
                                        .equals(to.getPodSelector()
                                                .getMatchLabels()
                                                .get("app.kubernetes.io/name"))))
                .flatMap(rule -> rule.getPorts().stream())
                .map(port -> port.getPort().getIntVal())
                .toList();

        assertThat(ports)
                .containsAll(Arrays.stream(MemberAccess.Door.values())
                        .map(MemberAccess.Door::port)
                        .toList());
    }

    @Test
    void secretsAreReachedByNameAlone() {
        var ring = new ClusterRef("demo", "orders");
        var all = Arrays.stream(RingSecrets.Kind.values())
                .filter(kind -> kind != RingSecrets.Kind.ROOT)
                .map(kind -> kind.secretName(ring))
                .toList();

        assertThat(tlsRules("etcd-gitops-tls-planner")).singleElement().satisfies(rule -> {
            assertThat(rule.getResources()).containsExactly("secrets");
            assertThat(rule.getResourceNames()).containsExactly(RingSecrets.Kind.CLIENT.secretName(ring));
            assertThat(rule.getVerbs()).containsExactly("get");
        });
        assertThat(tlsRules("etcd-gitops-tls-executor")).hasSize(2).allSatisfy(rule -> {
            assertThat(rule.getResources()).containsExactly("secrets");
            assertThat(rule.getVerbs())
                    .isEqualTo(rule.getResourceNames().isEmpty() ? List.of("create") : List.of("get", "update"));
        });
        assertThat(tlsRules("etcd-gitops-tls-executor").getFirst().getResourceNames())
                .isEqualTo(all);
        assertThat(Manifests.read(TLS))
                .noneMatch(ManifestsTest::clusterWide)
                .allSatisfy(o -> assertThat(o.getMetadata().getNamespace()).isEqualTo("demo"));
    }

    /// Whoever plans reads neither root's password nor its certificate.
    @Test
    void executorAloneReadsSecretsOfUsers() {
        var ring = new ClusterRef("demo", "orders");

        var rules = rules(AUTH, "etcd-gitops-auth-executor");

        assertThat(rules).allSatisfy(rule -> assertThat(rule.getResources()).containsExactly("secrets"));
        assertThat(rules)
                .extracting(PolicyRule::getVerbs)
                .containsExactly(List.of("get", "update"), List.of("delete"), List.of("create"));
        assertThat(rules.get(1).getResourceNames()).containsExactly(RingPasswords.userSecret(ring, "app"));
        assertThat(rules.getLast().getResourceNames()).isEmpty();
        assertThat(rules.getFirst().getResourceNames())
                .containsExactly(
                        RingPasswords.rootSecret(ring),
                        RingSecrets.Kind.ROOT.secretName(ring),
                        RingPasswords.userSecret(ring, "app"));
        assertThat(Manifests.read(AUTH))
                .noneMatch(ManifestsTest::clusterWide)
                .allSatisfy(o -> assertThat(o.getMetadata().getNamespace()).isEqualTo("demo"))
                .filteredOn(RoleBinding.class::isInstance)
                .singleElement()
                .satisfies(o -> assertThat(((RoleBinding) o).getSubjects())
                        .singleElement()
                        .satisfies(subject -> assertThat(subject.getName()).isEqualTo("etcd-gitops-executor")));
    }

    @Test
    void rendersComponentsForSecretsWithKustomize(@TempDir Path overlay) throws IOException {
        var cronjob = overlay.toRealPath().relativize(Manifests.FOLDER.toRealPath());
        Files.writeString(overlay.resolve("kustomization.yaml"), """
            apiVersion: kustomize.config.k8s.io/v1beta1
            kind: Kustomization
            resources: [%1$s/base]
            components: [%1$s/components/tls, %1$s/components/auth]
            """.formatted(cronjob));

        assertThat(rendered(overlay.toString()).stream()
                        .map(o -> o.getMetadata().getName()))
                .contains(
                        "etcd-gitops",
                        "etcd-gitops-tls-planner",
                        "etcd-gitops-tls-executor",
                        "etcd-gitops-auth-executor");
    }

    @Test
    void rolesReadNoOtherSecretsAndDeleteNoOtherObjects() {
        var others = files().filter(f -> !f.equals(TLS) && !f.equals(AUTH)).flatMap(f -> Manifests.read(f).stream());
        assertThat(others.flatMap(ManifestsTest::rules))
                .isNotEmpty()
                .allSatisfy(rule -> assertThat(rule.getResources()).doesNotContain("secrets"));
        assertThat(everything().stream().flatMap(ManifestsTest::rules))
                .isNotEmpty()
                .allSatisfy(rule -> {
                    assertThat(rule.getResources()).isNotEmpty().doesNotContain("*");
                    assertThat(rule.getVerbs()).isNotEmpty().doesNotContain("*", "deletecollection", "patch", "watch");
                    if (rule.getVerbs().contains("delete")
                            && rule.getResources().equals(List.of("secrets"))) {
                        assertThat(rule.getResourceNames()).isNotEmpty().allMatch(name -> name.contains("-user-"));
                    } else if (rule.getVerbs().contains("delete")) {
                        assertThat(rule.getResources())
                                .isSubsetOf(
                                        "jobs",
                                        "pods",
                                        "persistentvolumeclaims",
                                        "statefulsets",
                                        "services",
                                        "configmaps",
                                        "poddisruptionbudgets",
                                        "networkpolicies");
                    }
                });
    }

    @Test
    void grantsSameRulesPerNamespaceAsClusterWide() {
        var cluster = Manifests.read(Manifests.FOLDER.resolve("common/rbac.yaml")).stream()
                .filter(ClusterRole.class::isInstance)
                .collect(Collectors.toMap(
                        o -> o.getMetadata().getName(),
                        o -> rules(o).filter(r -> !isAboutMakingNamespaces(r))
                                .filter(r -> r.getResources().stream()
                                        .noneMatch(List.of("storageclasses", "nodes", "persistentvolumes")::contains))
                                .toList()));

        var namespaced =
                Manifests.read(Manifests.FOLDER.resolve("overlays/namespaced/ring-namespace/roles.yaml")).stream()
                        .filter(Role.class::isInstance)
                        .collect(Collectors.toMap(o -> o.getMetadata().getName(), o -> rules(o).toList()));

        assertThat(namespaced).isEqualTo(cluster).hasSize(2);
    }

    @Test
    void grantsConfigMapRightsForLastAcceptedCommit() {
        var verbs = Manifests.read(Manifests.FOLDER.resolve("overlays/namespaced/read-namespace.yaml")).stream()
                .filter(Role.class::isInstance)
                .filter(o -> o.getMetadata().getNamespace().equals("etcd-gitops"))
                .flatMap(o -> rules(o).filter(r -> r.getResources().contains("configmaps"))
                        .flatMap(r -> r.getVerbs().stream())
                        .map(verb -> o.getMetadata().getName() + ": " + verb));

        assertThat(verbs)
                .containsExactlyInAnyOrder(
                        "etcd-gitops-read-namespace: get",
                        "etcd-gitops-watermark: create",
                        "etcd-gitops-watermark: update");
    }

    private static boolean isAboutMakingNamespaces(PolicyRule rule) {
        return rule.getResources().contains("namespaces") && rule.getVerbs().contains("create");
    }

    private static Stream<PolicyRule> rules(HasMetadata object) {
        return switch (object) {
            case ClusterRole r -> r.getRules().stream();
            case Role r -> r.getRules().stream();
            default -> Stream.of();
        };
    }

    @Test
    void bothWaysToTheImageStartTheSameProcess() throws IOException {
        String build = Files.readString(Manifests.FOLDER.resolve("image/build"));
        String entryPoint = Files.readString(Manifests.FOLDER.resolve("image/Dockerfile"))
                .lines()
                .filter(l -> l.startsWith("ENTRYPOINT"))
                .findFirst()
                .orElseThrow();
        var flags = Pattern.compile("^flags='(.*)'$", Pattern.MULTILINE).matcher(build);

        assertThat(flags.find()).isTrue();

        assertThat(entryPoint)
                .contains("\"" + flags.group(1).replace(" ", "\", \"") + "\", \"-jar\", \"/app/etcd-gitops.jar\"]");
    }

    @Test
    void pinsBaseImagesByDigest() throws IOException {
        var bases = Files.readString(Manifests.FOLDER.resolve("image/Dockerfile"))
                .lines()
                .filter(l -> l.startsWith("FROM "))
                .toList();

        assertThat(bases).isNotEmpty().allMatch(l -> l.startsWith("FROM scratch ") || l.contains("@${JDK_DIGEST} "));
    }
}
