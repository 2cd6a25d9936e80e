package io.github.etcdgitops.sandbox.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Set;

/// What an API server decides about an object by looking at others.
final class Admission {
    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";
    private static final String IN_USE = "kubernetes.io/pvc-protection";
    private static final int FIRST_ADDRESS = 10;

    private final Store store;

    Admission(Store store) {
        this.store = store;
    }

    /// Nothing can be made where there is no namespace, or where it is about to go.
    void namespace(Resource resource, String namespace, String name) {
        ObjectNode found = store.get(new Store.Key(Resource.NAMESPACE, "", namespace));
        if (found == null) {
            throw Refusal.notFound(Resource.NAMESPACE, namespace);
        }
        if (Meta.deleting(found)) {
            throw Refusal.forbidden(
                            resource,
                            name,
                            "unable to create new content in namespace " + namespace
                                    + " because it is being terminated")
                    .because(new Refusal.Cause(
                            "NamespaceTerminating",
                            "metadata.namespace",
                            "namespace " + namespace + " is being terminated"));
        }
    }

    void fillIn(Resource resource, ObjectNode object) {
        switch (resource) {
            case NAMESPACE -> {
                object.withObjectProperty("spec").putArray("finalizers").add("kubernetes");
                Meta.of(object).withObjectProperty("labels").put("kubernetes.io/metadata.name", Meta.name(object));
            }
            case PERSISTENT_VOLUME_CLAIM -> {
                if (!Meta.finalizers(object).contains(IN_USE)) {
                    Meta.of(object).withArrayProperty("finalizers").add(IN_USE);
                }
                defaultClass(object.withObjectProperty("spec"));
            }
            case SERVICE -> address(object.withObjectProperty("spec"));
            case JOB -> Jobs.select(object);
            default -> {}
        }
    }

    private void defaultClass(ObjectNode spec) {
        if (!spec.has("storageClassName")) {
            store.list(Resource.STORAGE_CLASS, "").stream()
                    .filter(known -> known.path("metadata")
                            .path("annotations")
                            .path(DEFAULT_CLASS)
                            .asText()
                            .equals("true"))
                    .findFirst()
                    .ifPresent(known -> spec.put("storageClassName", Meta.name(known)));
        }
    }

    void changed(Resource resource, ObjectNode before, ObjectNode after) {
        if (resource == Resource.PERSISTENT_VOLUME_CLAIM
                && Immutable.storage(after.path("spec")).compareTo(Immutable.storage(before.path("spec"))) > 0
                && !growing(before.path("spec").path("storageClassName").asText(""))) {
            throw Refusal.forbidden(
                    resource,
                    Meta.name(after),
                    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must"
                            + " support resize");
        }
    }

    private boolean growing(String storageClass) {
        ObjectNode found = store.get(new Store.Key(Resource.STORAGE_CLASS, "", storageClass));
        return found != null && found.path("allowVolumeExpansion").asBoolean();
    }

    /// The address that it asks for, or the next one that nobody has.
    private void address(ObjectNode spec) {
        if (spec.path("type").asText().equals("ExternalName")) {
            return;
        }
        if (spec.path("clusterIP").asText("").isEmpty()) {
            spec.put("clusterIP", free());
        }
        if (!spec.has("clusterIPs")) {
            spec.putArray("clusterIPs").add(spec.path("clusterIP").asText());
        }
        if (!spec.has("ipFamilies")) {
            spec.putArray("ipFamilies").add("IPv4");
            spec.put("ipFamilyPolicy", "SingleStack");
        }
    }

    private String free() {
        Set<String> taken = new HashSet<>();
        for (JsonNode service : store.list(Resource.SERVICE, "")) {
            taken.add(service.path("spec").path("clusterIP").asText());
        }
        int number = FIRST_ADDRESS;
        while (taken.contains(address(number))) {
            number++;
        }
        return address(number);
    }

    private static String address(int number) {
        return "10.96." + number / 256 + "." + number % 256;
    }
}
