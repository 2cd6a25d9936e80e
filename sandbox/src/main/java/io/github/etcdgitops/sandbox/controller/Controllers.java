package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/// The controllers that a Kubernetes runs, as far as anybody relies on them here, and two storage classes: `standard`,
/// the default, and `local`, whose volumes one machine alone has.
public final class Controllers implements AutoCloseable {
    private static final String STANDARD = "standard";
    private static final String LOCAL = "local";

    private final List<Loop<?>> loops;

    private Controllers(List<Loop<?>> loops) {
        this.loops = loops;
    }

    /// `volumes` is the folder in which volumes are made; pods of a node that is not Ready are deleted after
    /// `evictAfter`.
    public record Settings(Path volumes, Duration evictAfter, InstantSource clock) {}

    public static Controllers start(KubeObjects objects, Settings settings) {
        for (ObjectNode storageClass : List.of(standard(), local())) {
            if (objects.find(Resource.STORAGE_CLASS, "", Meta.name(storageClass))
                    .isEmpty()) {
                objects.create(Resource.STORAGE_CLASS, "", storageClass);
            }
        }
        InstantSource clock = settings.clock();
        return new Controllers(List.of(
                new StatefulSetController(objects).loop().start(),
                new JobController(objects, clock).loop().start(),
                new Scheduler(objects, clock).loop().start(),
                new ClaimBinder(objects, settings.volumes()).loop().start(),
                new EndpointsController(objects).loop().start(),
                new BudgetController(objects, clock).loop().start(),
                new GarbageCollector(objects).loop().start(),
                new NamespaceController(objects).loop().start(),
                new NodeController(objects, clock, settings.evictAfter()).loop().start()));
    }

    private static ObjectNode standard() {
        ObjectNode standard = storageClass(STANDARD, "Immediate");
        Meta.of(standard).putObject("annotations").put("storageclass.kubernetes.io/is-default-class", "true");
        return standard;
    }

    private static ObjectNode local() {
        return storageClass(LOCAL, "WaitForFirstConsumer");
    }

    private static ObjectNode storageClass(String name, String bindingMode) {
        ObjectNode storageClass = JsonNodeFactory.instance
                .objectNode()
                .put("apiVersion", "storage.k8s.io/v1")
                .put("kind", "StorageClass")
                .put("provisioner", Claims.PROVISIONER)
                .put("reclaimPolicy", "Delete")
                .put("volumeBindingMode", bindingMode)
                .put("allowVolumeExpansion", true);
        Meta.of(storageClass).put("name", name);
        return storageClass;
    }

    @Override
    public void close() {
        loops.forEach(Loop::close);
    }
}
