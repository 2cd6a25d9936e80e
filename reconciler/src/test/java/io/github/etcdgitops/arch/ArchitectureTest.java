package io.github.etcdgitops.arch;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.github.etcdgitops.doctor.Check;
import io.github.etcdgitops.doctor.fact.Fact;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.value.Observed;
import io.github.etcdgitops.validation.Validated;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which package may know which. A rule that has to give way names the one place that needs it, with
/// the reason.
class ArchitectureTest {
    /// From left to right: each may know itself and those before it.
    private static final List<String> PURE = List.of(
            "digest",
            "inert",
            "validation",
            "spec.value",
            "spec.auth",
            "spec.time",
            "spec.release",
            "spec.ring",
            "spec",
            "place",
            "state.value",
            "state.auth",
            "state.backup",
            "state.journal",
            "state.member",
            "state",
            "state.health",
            "state.underway",
            "ring",
            "ring.tls",
            "ring.auth",
            "ring.membership",
            "ring.roll.v2",
            "ring.roll",
            "ring.founding",
            "ring.adoption",
            "ring.repair",
            "ring.scale",
            "ring.storage",
            "ring.maintenance",
            "ring.backup",
            "ring.restore",
            "ring.deletion",
            "plan.begin",
            "plan.heal",
            "plan",
            "plan.fleet",
            "policy");

    private static final String[] OUTSIDE = {
        "java.io..", "java.net..", "java.nio..", "java.util.concurrent..", "java.util.logging..", "javax.net.."
    };

    /// semver4j computes and asks nobody, and so do the classes of addresses by the methods that
    /// `addressesAreReadAndNotResolved` lets be called.
    private static final DescribedPredicate<JavaClass> PURE_JAVA = resideInAnyPackage(
                    "java..", "org.jspecify..", "org.semver4j..")
            .and(not(resideInAnyPackage(OUTSIDE)))
            .or(resideInAPackage("java.nio.charset"))
            .or(allowed("java.lang.Object", "java.net.InetAddress", "java.net.Inet4Address"));

    private static DescribedPredicate<JavaClass> allowed(String... names) {
        var set = Set.of(names);
        return DescribedPredicate.describe("be one of " + set, c -> set.contains(c.getName()));
    }

    private static DescribedPredicate<JavaClass> ours(List<String> packages) {
        return resideInAnyPackage(
                packages.stream().map(p -> Production.BASE + "." + p).toArray(String[]::new));
    }

    static Stream<List<String>> pureWithWhatIsLeftOfIt() {
        return Stream.iterate(1, i -> i <= PURE.size(), i -> i + 1).map(i -> PURE.subList(0, i));
    }

    @ParameterizedTest
    @MethodSource("pureWithWhatIsLeftOfIt")
    void purePackagesKnowOnlyValuesAndEarlierPackages(List<String> packages) {
        classes()
                .that()
                .resideInAPackage(Production.BASE + "." + packages.getLast())
                .should()
                .onlyDependOnClassesThat(PURE_JAVA.or(ours(packages)).or(primitivesAndArrays()))
                .check(Production.CLASSES);
    }

    @Test
    void addressesAreReadAndNotResolved() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        PURE.stream().map(p -> Production.BASE + "." + p).toArray(String[]::new))
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "ask DNS",
                        call -> call.getTargetOwner().isAssignableTo(java.net.InetAddress.class)
                                && !Set.of("ofLiteral", "getAddress", "getHostAddress")
                                        .contains(call.getName())))
                .check(Production.CLASSES);
    }

    /// Reports are rendered from values alone. `execute` is among them for the record of what a run
    /// did, Jackson because JSON is not written by hand, and the JDK's writer because XML is not.
    @Test
    void reportsAreMadeOfValuesAndJackson() {
        var results = allowed(
                Production.BASE + ".execute.progress.ClusterResult",
                Production.BASE + ".execute.progress.ClusterResult$Outcome",
                Production.BASE + ".execute.progress.StepEvent");
        classes()
                .that()
                .resideInAPackage(Production.BASE + ".report..")
                .should()
                .onlyDependOnClassesThat(PURE_JAVA
                        .or(ours(PURE))
                        .or(ours(List.of("report", "report.format", "report.page", "report.table")))
                        .or(results)
                        .or(resideInAnyPackage("gg.jte", "gg.jte.output", "gg.jte.html"))
                        .or(resideInAPackage("com.fasterxml.jackson.."))
                        .or(resideInAPackage("javax.xml.stream"))
                        .or(allowed("java.io.StringWriter", "java.io.Writer"))
                        .or(primitivesAndArrays()))
                .check(Production.CLASSES);
    }

    /// Certificates are made of bytes and times alone. What is named of `java.io` reads from memory.
    @Test
    void certificatesAreMadeInMemory() {
        var memory = allowed("java.io.ByteArrayInputStream", "java.io.StringReader", "java.io.IOException")
                .or(allowed("java.io.InputStream", "java.io.Reader"))
                .or(allowed("javax.security.auth.x500.X500Principal"));
        classes()
                .that()
                .resideInAPackage(Production.BASE + ".certificate")
                .should()
                .onlyDependOnClassesThat(PURE_JAVA
                        .or(memory)
                        .or(ours(List.of("digest", "spec", "spec.ring", "spec.time", "spec.value", "certificate")))
                        .or(resideInAPackage("org.bouncycastle.."))
                        .or(primitivesAndArrays()))
                .check(Production.CLASSES);
    }

    /// In `doctor` the exams ask the world and the rest judges what they brought back. The ports are
    /// known for their records.
    @Test
    void diagnosisDependsOnFactsAlone() {
        classes()
                .that()
                .resideInAPackage(Production.BASE + ".doctor")
                .and()
                .haveNameNotMatching(".*(Exam(\\$.*)?|Asking(\\$.*)?|DiagnosisText(\\$.*)?)")
                .should()
                .onlyDependOnClassesThat(PURE_JAVA
                        .or(ours(PURE))
                        .or(ours(List.of("doctor", "doctor.fact", "gateway.access")))
                        .or(resideInAPackage(Production.BASE + ".gateway"))
                        .or(primitivesAndArrays()))
                .check(Production.CLASSES);
    }

    private static DescribedPredicate<JavaClass> primitivesAndArrays() {
        return DescribedPredicate.describe(
                "be primitive or made of what is allowed",
                c -> c.isPrimitive()
                        || (c.isArray() && PURE_JAVA.test(c.getBaseComponentType()))
                        || (c.isArray() && c.getBaseComponentType().isPrimitive())
                        || (c.isArray()
                                && c.getBaseComponentType().getPackageName().startsWith(Production.BASE)));
    }

    @ParameterizedTest
    @CsvSource({
        "io.fabric8.., gateway.kube..",
        "io.etcd.., gateway.etcd..",
        "io.grpc.., gateway.etcd..",
        "io.netty.., gateway.etcd..",
        "io.vertx.., gateway.etcd..",
        "com.google.protobuf.., gateway.etcd..",
        "org.eclipse.jgit.., git..",
        "org.apache.sshd.., git..",
        "picocli.., cli..",
        "com.networknt.., document..",
        "org.yaml.snakeyaml.., document..",
        "org.quartz.., schedule..",
        "io.micrometer.., telemetry..",
        "software.amazon.., gateway.store..",
        "com.github.luben.., gateway.store.codec..",
        "com.exceptionfactory.jagged.., gateway.store.codec..",
        "org.bouncycastle.., certificate..",
        "org.semver4j.., spec..",
        "dev.cel.., expression..",
        "gg.jte.., report.page..",
        "com.sun.net.httpserver.., telemetry..",
        "org.slf4j.., nowhere",
    })
    void onlyOnePackageUsesEachLibrary(String library, String home) {
        noClasses()
                .that()
                .resideOutsideOfPackage(Production.BASE + "." + home)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(Production.CLASSES);
    }

    private static final String[] PORTS = {Production.BASE + ".gateway", Production.BASE + ".gateway.access"};

    private static final String[] ADAPTERS = {
        Production.BASE + ".gateway.kube..",
        Production.BASE + ".gateway.etcd..",
        Production.BASE + ".gateway.store..",
        Production.BASE + ".gateway.forge.."
    };

    @Test
    void adaptersAreKnownToTheWiringAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ADAPTERS)
                .and()
                .resideOutsideOfPackage(Production.BASE + ".cli..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ADAPTERS)
                .check(Production.CLASSES);
        noClasses()
                .that()
                .resideInAPackage(Production.BASE + ".cli..")
                .and()
                // Reviews need neither Kubernetes nor etcd, and have a root of their own.
                .haveNameNotMatching(".*\\.cli\\..*\\.(Review|Offline)?Wiring")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ADAPTERS)
                .check(Production.CLASSES);
    }

    @Test
    void portsKnowPurePackagesOnly() {
        noClasses()
                .that()
                .resideInAnyPackage(PORTS)
                .should()
                .dependOnClassesThat(resideInAPackage(Production.BASE + "..")
                        .and(not(ours(PURE)))
                        .and(not(resideInAnyPackage(PORTS))))
                .check(Production.CLASSES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kube", "etcd", "store", "forge"})
    void adaptersDoNotDependOnEachOther(String adapter) {
        String own = Production.BASE + ".gateway." + adapter + "..";
        noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat(resideInAnyPackage(ADAPTERS).and(not(resideInAPackage(own))))
                .check(Production.CLASSES);
    }

    @ParameterizedTest
    @CsvSource({
        "observe, execute",
        "execute, observe",
        "observe, git",
        "execute, git",
        "observe, document",
        "execute, document"
    })
    void stagesHandValuesOnAndDoNotCallEachOther(String stage, String other) {
        noClasses()
                .that()
                .resideInAPackage(Production.BASE + "." + stage + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(Production.BASE + "." + other + "..")
                .check(Production.CLASSES);
    }

    /// The Lease, Jobs and progress belong to the engine as well.
    @Test
    void engineDependsOnNoCapability() {
        var engine = Stream.of("execute", "execute.lease", "execute.job", "execute.progress")
                .map(p -> Production.BASE + "." + p)
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAnyPackage(engine)
                .should()
                .dependOnClassesThat(resideInAnyPackage(Production.BASE + ".execute.*..", Production.BASE + ".ring.*..")
                        .and(not(resideInAnyPackage(engine))))
                .check(Production.CLASSES);
    }

    @Test
    void onlyMainDependsOnTheCommandLine() {
        noClasses()
                .that()
                .resideInAPackage(Production.BASE + ".*..")
                .and()
                .resideOutsideOfPackage(Production.BASE + ".cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(Production.BASE + ".cli..")
                .check(Production.CLASSES);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching(Production.BASE + ".(**)").should().beFreeOfCycles().check(Production.CLASSES);
    }

    /// More cannot be held in mind at once. Its page is not counted.
    @Test
    void packageHasAtMost25Files() {
        var files = Production.CLASSES.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, TreeMap::new, Collectors.counting()));

        files.values().removeIf(count -> count <= 25);

        assertThat(files).isEmpty();
    }

    /// javac infers such a type without a word, and the JVM refuses it when the line is reached.
    @Test
    void exposesNoPackagePrivateType() {
        var found = new TreeSet<String>();

        for (JavaClass type : Production.CLASSES) {
            var calls =
                    Stream.concat(type.getMethodCallsFromSelf().stream(), type.getMethodReferencesFromSelf().stream());
            calls.forEach(call -> call.getTarget().resolveMember().stream()
                    .flatMap(method -> Stream.concat(
                            method.getReturnType().getAllInvolvedRawTypes().stream(),
                            method.getRawParameterTypes().stream()))
                    .map(JavaClass::getBaseComponentType)
                    .filter(given -> given.getPackageName().startsWith(Production.BASE)
                            && !given.getPackageName().equals(type.getPackageName())
                            && !isPublic(given))
                    .forEach(given -> found.add(type.getName() + " is given " + given.getName())));
        }

        assertThat(found).isEmpty();
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ArchitectureTest::isPublic).orElse(true);
    }

    /// Time, waiting and the process come in as values, but for these places.
    private static final Set<String> AMBIENT = Set.of(
            // The process begins and ends there.
            "Main System.exit",
            "Main System.getenv",
            "Main System.out",
            "Main System.err",
            // The composition root hands the clock to everybody else.
            "cli.Training System.err",
            "cli.Training System.exit",
            "cli.Training System.getenv",
            "cli.console.Surface InstantSource.system",
            "cli.wiring.Wiring System.nanoTime",
            // Dies as SIGKILL would, for trials; nobody is left to hand the text to.
            "cli.wiring.KillAt System.err",
            "cli.wiring.KillAt Runtime.halt",
            // Bounds a call into JGit on the monotonic clock, which no report shows and no test needs to set.
            "gateway.kube.api.BodyStream System.nanoTime",
            "gateway.bounded.BoundedStream System.nanoTime",
            "git.remote.Deadline System.nanoTime",
            // Seeds the jitter between two tries; no result depends on it.
            "git.remote.Retry System.nanoTime");

    private static final Set<String> AMBIENT_CALLS = Set.of(
            "Instant.now",
            "Clock.systemUTC",
            "Clock.systemDefaultZone",
            "Clock.system",
            "InstantSource.system",
            "LocalDate.now",
            "LocalDateTime.now",
            "ZonedDateTime.now",
            "OffsetDateTime.now",
            "Thread.sleep",
            "TimeUnit.sleep",
            "System.currentTimeMillis",
            "System.nanoTime",
            "System.getenv",
            "System.exit",
            "System.out",
            "System.err",
            "Runtime.halt",
            "Runtime.exit");

    @Test
    void timeAndTheProcessAreAskedInNamedPlacesOnly() {
        var found = new TreeSet<String>();

        for (JavaClass type : Production.CLASSES) {
            for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                String call = access.getTargetOwner().getSimpleName() + "."
                        + access.getTarget().getName();
                if (AMBIENT_CALLS.contains(call)
                        && access.getTargetOwner().getPackageName().startsWith("java.")) {
                    found.add(type.getName().substring(Production.BASE.length() + 1) + " " + call);
                }
            }
        }

        assertThat(found).isEqualTo(new TreeSet<>(AMBIENT));
    }

    static Stream<Class<?>> operations() {
        return Production.records(Operation.class);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void everyOperationIsARecordWithAPageForPeople(Class<?> operation) {
        String page =
                operation.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(java.util.Locale.ROOT);

        assertThat(operation.isRecord()).as("an operation is data").isTrue();
        assertThat(Path.of("../docs/operations/" + page + ".md")).isRegularFile();
        assertThat(Path.of("src/test/java/" + operation.getName().replace('.', '/') + "Test.java"))
                .isRegularFile();
    }

    static Stream<Class<?>> sealedTypes() {
        return Stream.of(
                StepResult.class,
                Verdict.class,
                Observed.class,
                Validated.class,
                MemberConfig.class,
                Check.class,
                Fact.class);
    }

    @ParameterizedTest
    @MethodSource("sealedTypes")
    void casesOfASealedTypeAreRecords(Class<?> type) {
        assertThat(type.getPermittedSubclasses()).isNotEmpty().allMatch(c -> c.isRecord() || c.isSealed());
    }

    @Test
    void noClassIsCalledAfterNothing() {
        noClasses()
                .should()
                .haveNameMatching(".*(Util|Utils|Helper|Manager|Impl)")
                .check(Production.CLASSES);
    }

    @Test
    void everyPackageIsNullMarked() throws ClassNotFoundException {
        var packages = new TreeSet<String>();
        Production.CLASSES.forEach(c -> packages.add(c.getPackageName()));
        // It holds nothing but Main, which has no field, no result and no parameter that could be null.
        packages.remove(Production.BASE);

        for (String name : packages) {
            assertThat(Class.forName(name + ".package-info").isAnnotationPresent(NullMarked.class))
                    .as(name)
                    .isTrue();
        }
    }
}
