package io.github.etcdgitops.sandbox.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The volumes of one pod, as folders of this machine.
///
/// `folder` holds those that live as long as the pod; `address` is what stands for every address in its
/// files.
record Volumes(KubeObjects objects, JsonNode pod, Path folder, String address) {
    private static final int MODE = 0644;

    /// Every volume's folder, all there and up to date. Throws [StartFailure].
    Map<String, Path> materialise() {
        var folders = new LinkedHashMap<String, Path>();
        for (JsonNode volume : pod.path("spec").path("volumes")) {
            String name = volume.path("name").asText();
            try {
                folders.put(name, materialise(name, volume));
            } catch (IOException e) {
                throw StartFailure.volume(name, e.toString());
            }
        }
        return folders;
    }

    /// Brings the files that come from ConfigMaps and Secrets up to date. One that is gone leaves them as
    /// they are.
    void refresh() throws IOException {
        for (JsonNode volume : pod.path("spec").path("volumes")) {
            try {
                if (volume.has("configMap") || volume.has("secret")) {
                    materialise(volume.path("name").asText(), volume);
                }
            } catch (StartFailure gone) {
                // matters when the container is started the next time
            }
        }
    }

    boolean uses(Resource resource, String name) {
        for (JsonNode volume : pod.path("spec").path("volumes")) {
            String used = resource == Resource.SECRET
                    ? volume.path("secret").path("secretName").asText()
                    : volume.path("configMap").path("name").asText();
            if (used.equals(name)) {
                return true;
            }
        }
        return false;
    }

    /// The volumes that outlive the pod, by their names, with their folders.
    Map<String, Path> persistent() {
        var folders = new TreeMap<String, Path>();
        for (JsonNode volume : pod.path("spec").path("volumes")) {
            if (volume.has("persistentVolumeClaim")) {
                ObjectNode persistent =
                        persistentVolume(volume.path("name").asText(), volume.path("persistentVolumeClaim"));
                folders.put(Meta.name(persistent), hostPath(persistent));
            }
        }
        return folders;
    }

    private Path materialise(String name, JsonNode volume) throws IOException {
        Path own = folder.resolve(name);
        if (volume.has("configMap")) {
            JsonNode source = volume.path("configMap");
            return config(name, Resource.CONFIG_MAP, source.path("name").asText(), source);
        } else if (volume.has("secret")) {
            JsonNode source = volume.path("secret");
            return config(name, Resource.SECRET, source.path("secretName").asText(), source);
        } else if (volume.has("emptyDir")) {
            return Files.createDirectories(own);
        } else if (volume.has("persistentVolumeClaim")) {
            Path path = hostPath(persistentVolume(name, volume.path("persistentVolumeClaim")));
            if (!Files.isDirectory(path)) {
                throw StartFailure.volume(name, "hostPath type check failed: " + path + " is not a directory");
            }
            return path;
        }
        throw StartFailure.volume(name, "the sandbox has no volumes of this kind: " + volume);
    }

    private Path config(String volume, Resource resource, String name, JsonNode source) throws IOException {
        Optional<ObjectNode> found = objects.find(resource, Meta.namespace(pod), name);
        if (found.isEmpty() && !source.path("optional").asBoolean()) {
            throw StartFailure.volume(volume, resource.plural() + " \"" + name + "\" not found");
        }
        var files = new TreeMap<String, byte[]>();
        found.ifPresent(object -> {
            boolean encoded = resource == Resource.SECRET;
            object.path("data")
                    .properties()
                    .forEach(file -> files.put(
                            file.getKey(),
                            encoded
                                    ? Base64.getDecoder().decode(file.getValue().asText())
                                    : file.getValue()
                                            .asText()
                                            .replace(Environment.ANY_ADDRESS, address)
                                            .getBytes(StandardCharsets.UTF_8)));
            object.path("binaryData")
                    .properties()
                    .forEach(file -> files.put(
                            file.getKey(),
                            Base64.getDecoder().decode(file.getValue().asText())));
        });
        Path target = folder.resolve(volume);
        new AtomicFolder(target)
                .publish(
                        chosen(volume, resource, files, source),
                        source.path("defaultMode").asInt(MODE));
        return target;
    }

    /// Where `items` are listed, only these, under their own names.
    private static Map<String, byte[]> chosen(
            String volume, Resource resource, Map<String, byte[]> files, JsonNode source) {
        if (!source.has("items")) {
            return files;
        }
        var chosen = new TreeMap<String, byte[]>();
        for (JsonNode item : source.path("items")) {
            String key = item.path("key").asText();
            byte[] content = files.get(key);
            if (content != null) {
                chosen.put(item.path("path").asText(), content);
            } else if (!source.path("optional").asBoolean()) {
                String kind = resource == Resource.SECRET ? "secret" : "config";
                throw StartFailure.volume(volume, "references non-existent " + kind + " key: " + key);
            }
        }
        return chosen;
    }

    private ObjectNode persistentVolume(String volume, JsonNode source) {
        String claim = source.path("claimName").asText();
        String name = objects.find(Resource.PERSISTENT_VOLUME_CLAIM, Meta.namespace(pod), claim)
                .orElseThrow(() -> StartFailure.volume(volume, "persistentvolumeclaim \"" + claim + "\" not found"))
                .path("spec")
                .path("volumeName")
                .asText("");
        if (name.isEmpty()) {
            throw StartFailure.volume(volume, "persistentvolumeclaim \"" + claim + "\" is not bound");
        }
        return objects.find(Resource.PERSISTENT_VOLUME, "", name)
                .orElseThrow(() -> StartFailure.volume(volume, "persistentvolume \"" + name + "\" not found"));
    }

    private static Path hostPath(ObjectNode persistentVolume) {
        return Path.of(
                persistentVolume.path("spec").path("hostPath").path("path").asText());
    }
}
