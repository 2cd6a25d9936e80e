package io.github.etcdgitops.trial.forge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.etcdgitops.fake.FakeForge;
import io.github.etcdgitops.fake.Marks;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// All that runs have left behind, byte by byte: what they printed, files that they wrote, every commit of the branch
/// of
/// reports, the objects that they keep in Kubernetes, and what stands on the forge.
final class SecretSearch {
    /// What a document says of the pods is in the pods.
    static final String ANNOTATION = "an annotation of the pods";

    private final Bench bench;
    private final ForgeHost host;
    private final FakeForge forge;
    private final Marks marks;

    SecretSearch(Bench bench, ForgeHost host, FakeForge forge, Marks marks) {
        this.bench = bench;
        this.host = host;
        this.forge = forge;
        this.marks = marks;
    }

    /// The search can find: each of these is where it belongs.
    void demandFound(Map<String, String> secrets) {
        for (var secret :
                bench.kube().secrets().inNamespace(bench.namespace()).list().getItems()) {
            var found = marks.in(Serialization.asJson(secret).getBytes(UTF_8));
            String name = "the Secret " + secret.getMetadata().getName() + ",";
            TrialFailure.unless(
                    secrets.keySet().stream().noneMatch(where -> where.startsWith(name))
                            || found.stream().anyMatch(where -> where.startsWith(name)),
                    "the search does not find what is in " + name + " but " + found);
        }
    }

    void demandNothing(Figures figures) throws Exception {
        var leaks = new ArrayList<String>();
        long bytes = 0;
        var all = everything();
        for (var place : all.entrySet()) {
            bytes += place.getValue().length;
            var found = marks.in(place.getValue());
            if (place.getKey().matches("(StatefulSet|Pod|ControllerRevision) .*")) {
                found.remove(ANNOTATION);
            }
            if (!found.isEmpty()) {
                leaks.add(place.getKey() + " has " + found);
            }
        }
        figures.put("searched", all.size());
        figures.put("bytes", bytes);
        TrialFailure.unless(leaks.isEmpty(), "secrets came out: " + String.join("; ", leaks));
    }

    private Map<String, byte[]> everything() throws Exception {
        var all = new TreeMap<String, byte[]>();
        for (String folder : List.of("reconciler/runs", "said")) {
            try (Stream<Path> files = Files.walk(bench.folder().resolve(folder))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    all.put(file.toString(), Files.readAllBytes(file));
                }
            }
        }
        String history = host.ask(
                "log", "--patch", "--root", "--text", "--format=fuller", "refs/heads/etcd-gitops/reports/production");
        TrialFailure.unless(history.contains("latest/index.html"), "the branch of reports is empty");
        all.put("the branch of reports", history.getBytes(UTF_8));
        for (var object : objects()) {
            all.put(
                    object.getKind() + " " + object.getMetadata().getName(),
                    Serialization.asJson(object).getBytes(UTF_8));
        }
        all.put("the forge", (forge.bodies() + " " + forge.statuses()).getBytes(UTF_8));
        return all;
    }

    /// Without Secrets, and without the ring that is somebody else's.
    private List<HasMetadata> objects() {
        var kube = bench.kube();
        String here = bench.namespace();
        var lists = List.of(
                kube.v1().events().inNamespace(here).list().getItems(),
                kube.configMaps().inNamespace(here).list().getItems(),
                kube.apps().statefulSets().inNamespace(here).list().getItems(),
                kube.pods().inNamespace(here).list().getItems(),
                kube.services().inNamespace(here).list().getItems(),
                kube.persistentVolumeClaims().inNamespace(here).list().getItems(),
                kube.leases().inNamespace(here).list().getItems());
        var objects = new ArrayList<HasMetadata>();
        lists.forEach(list -> list.forEach(object -> objects.add((HasMetadata) object)));
        objects.removeIf(object -> object.getMetadata().getName().startsWith("legacy"));
        TrialFailure.unless(
                objects.stream().anyMatch(o -> o.getMetadata().getName().endsWith("-journal")), "there is no journal");
        return objects;
    }
}
