package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.nio.file.Path;
import java.util.Optional;

/// What happens next to a claim, or to a volume.
final class Claims {
    static final String IN_USE = "kubernetes.io/pvc-protection";
    static final String BOUND = "kubernetes.io/pv-protection";
    static final String PROVISIONER = "etcdgitops.dev/folders";

    private Claims() {}

    enum Next {
        NOTHING,
        /// Nothing holds its deletion up any more.
        LET_GO,
        /// It gets a new volume.
        PROVISION,
        /// The volume that it names takes it.
        BIND,
        /// Both show the size that is asked for.
        GROW,
        /// Its volume is gone, for good.
        LOSE,
        /// The claim is gone; so is the volume now.
        RECLAIM,
        /// The claim is gone; the volume stays.
        RELEASE
    }

    /// `volume` is the one that the claim names; `used` says whether a pod has it.
    static Next claim(ObjectNode claim, Optional<ObjectNode> storageClass, Optional<ObjectNode> volume, boolean used) {
        if (Meta.deleting(claim)) {
            return !used && Meta.finalizers(claim).contains(IN_USE) ? Next.LET_GO : Next.NOTHING;
        }
        String phase = claim.path("status").path("phase").asText("Pending");
        if (volumeName(claim).isEmpty()) {
            boolean ours = storageClass
                    .filter(found -> found.path("provisioner").asText().equals(PROVISIONER))
                    .filter(found -> !Mooring.waitsForPod(found)
                            || Mooring.selected(claim).isPresent())
                    .isPresent();
            return ours ? Next.PROVISION : Next.NOTHING;
        }
        if (volume.isEmpty() || (!isFree(volume.get()) && !isOf(volume.get(), claim))) {
            boolean waits = phase.equals("Lost") || phase.equals("Pending");
            return waits ? Next.NOTHING : Next.LOSE;
        }
        if (!phase.equals("Bound") || isFree(volume.get())) {
            return Next.BIND;
        }
        boolean grows = storageClass
                .filter(found -> found.path("allowVolumeExpansion").asBoolean())
                .isPresent();
        boolean shows = requested(claim)
                .equals(claim.path("status").path("capacity").path("storage").asText(""));
        return grows && !shows ? Next.GROW : Next.NOTHING;
    }

    /// `claim` is what the volume's reference names now, if there is such a claim; `reachable` says whether
    /// anybody can take away what is on the volume.
    static Next volume(ObjectNode volume, Optional<ObjectNode> claim, boolean reachable) {
        boolean bound = claim.filter(found -> isOf(volume, found)).isPresent();
        if (Meta.deleting(volume)) {
            return !bound && Meta.finalizers(volume).contains(BOUND) ? Next.LET_GO : Next.NOTHING;
        }
        if (isFree(volume) || bound) {
            return Next.NOTHING;
        }
        if (reachable
                && volume.path("spec")
                        .path("persistentVolumeReclaimPolicy")
                        .asText()
                        .equals("Delete")) {
            return Next.RECLAIM;
        }
        return volume.path("status").path("phase").asText().equals("Released") ? Next.NOTHING : Next.RELEASE;
    }

    private static boolean isFree(JsonNode volume) {
        return volume.path("spec").path("claimRef").path("uid").asText("").isEmpty();
    }

    private static boolean isOf(JsonNode volume, JsonNode claim) {
        return volume.path("spec").path("claimRef").path("uid").asText().equals(Meta.uid(claim));
    }

    static String volumeName(JsonNode claim) {
        return claim.path("spec").path("volumeName").asText("");
    }

    static String requested(JsonNode claim) {
        return claim.path("spec")
                .path("resources")
                .path("requests")
                .path("storage")
                .asText("");
    }

    static ObjectNode newVolume(ObjectNode claim, ObjectNode storageClass, Path folder) {
        ObjectNode volume = claim.objectNode().put("apiVersion", "v1").put("kind", "PersistentVolume");
        ObjectNode metadata = volume.putObject("metadata").put("name", String.valueOf(folder.getFileName()));
        metadata.putObject("annotations").put("pv.kubernetes.io/provisioned-by", PROVISIONER);
        metadata.putArray("finalizers").add(BOUND);
        ObjectNode spec = volume.putObject("spec");
        spec.putObject("capacity").put("storage", requested(claim));
        spec.set("accessModes", claim.path("spec").path("accessModes").deepCopy());
        spec.putObject("hostPath").put("path", folder.toString()).put("type", "Directory");
        spec.put(
                "persistentVolumeReclaimPolicy",
                storageClass.path("reclaimPolicy").asText("Delete"));
        spec.put("storageClassName", Meta.name(storageClass)).put("volumeMode", "Filesystem");
        if (Mooring.waitsForPod(storageClass)) {
            Mooring.selected(claim).ifPresent(machine -> Mooring.moor(volume, machine));
        }
        spec.set("claimRef", reference(claim));
        return volume;
    }

    static ObjectNode reference(ObjectNode claim) {
        return claim.objectNode()
                .put("apiVersion", "v1")
                .put("kind", "PersistentVolumeClaim")
                .put("namespace", Meta.namespace(claim))
                .put("name", Meta.name(claim))
                .put("uid", Meta.uid(claim));
    }

    static ObjectNode bound(ObjectNode claim, JsonNode volume) {
        claim.withObjectProperty("spec").put("volumeName", Meta.name(volume));
        ObjectNode status = claim.putObject("status").put("phase", "Bound");
        status.set("accessModes", volume.path("spec").path("accessModes").deepCopy());
        status.set("capacity", volume.path("spec").path("capacity").deepCopy());
        return claim;
    }
}
