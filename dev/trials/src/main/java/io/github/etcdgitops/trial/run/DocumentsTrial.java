package io.github.etcdgitops.trial.run;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeMap;

/// Many wrong documents beside a good ring: the ring is reconciled all the same.
public final class DocumentsTrial implements Trial {
    private static final String RING = "good";
    private static final Path FOLDER =
            Path.of(System.getProperty("trials.root", "."), "reconciler/src/test/resources/documents");

    private static final Set<String> FOUND_RINGS = Set.of("second-document.yaml", "policy-is-a-ring.yaml");

    /// A restore that cannot be read may be one of any ring of its namespace, and a policy that cannot be read may
    /// forbid anything: rings wait for both.
    private static final Set<String> HOLD_OTHERS = Set.of("restore-", "policy-");

    @Override
    public String name() {
        return "documents";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        var files = new TreeMap<String, byte[]>();
        try (var documents = Files.list(FOLDER)) {
            for (var file : documents.filter(DocumentsTrial::usable).toList()) {
                // Byte by byte the same but for the namespace: what is accepted after all must land in the trial's own.
                String text = new String(Files.readAllBytes(file), ISO_8859_1);
                files.put(
                        "clusters/bad/" + file.getFileName(),
                        text.replace("namespace: demo", "namespace: " + bench.namespace())
                                .getBytes(ISO_8859_1));
            }
        }
        files.put("clusters/good.yaml", bench.document(RING, 3));
        figures.put("documents", files.size() - 1);
        bench.git().commit("A good ring among wrong documents", files);

        bench.tool().demand(10, "reconcile");
        TrialFailure.unless(bench.isAtRest(RING, 3), "the good ring did not come up");
        var run = bench.tool().demand(0, "reconcile", "--fail-on", "error");
        var plan = bench.tool().demand(10, "plan", "-o", "json");
        figures.put("violations", Plans.violations(plan.stdout()));
        TrialFailure.unless(run.exit() == 0, "the ring failed");
    }

    /// Fleet documents are for the root; one is only wrong where it stands, and one has a second, good document: both
    /// would found rings of their own.
    private static boolean usable(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".yaml")
                && !name.startsWith("fleet-")
                && !FOUND_RINGS.contains(name)
                && HOLD_OTHERS.stream().noneMatch(name::startsWith);
    }
}
