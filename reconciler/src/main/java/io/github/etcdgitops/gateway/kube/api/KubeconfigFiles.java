package io.github.etcdgitops.gateway.kube.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// kubectl's configuration files. The library interprets them; its own parser would load a thousand classes
/// of object types first, which takes a seventh of a short run.
final class KubeconfigFiles {
    /// Where the library looks for the file that a part comes from: paths in it are relative to that file.
    private static final String CONTEXT = "KUBERNETES_CONFIG_CONTEXT_FILE_KEY";

    private static final String CLUSTER = "KUBERNETES_CONFIG_CLUSTER_FILE_KEY";
    private static final String USER = "KUBERNETES_CONFIG_AUTH_INFO_FILE_KEY";

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addMixIn(io.fabric8.kubernetes.api.model.Config.class, OfOtherTools.class)
            .addMixIn(Cluster.class, OfOtherTools.class)
            .addMixIn(Context.class, OfOtherTools.class)
            .addMixIn(AuthInfo.class, OfOtherTools.class)
            .build();

    /// They may be objects of any type.
    @JsonIgnoreProperties(
            value = {"extensions", "preferences"},
            ignoreUnknown = true)
    private interface OfOtherTools {}

    private KubeconfigFiles() {}

    /// Those that kubectl takes: of `KUBECONFIG`, else the one in the home directory. None in a pod.
    static List<Path> found(Map<String, String> environment) {
        String named = environment.getOrDefault("KUBECONFIG", "");
        var files = named.isEmpty()
                ? Stream.of(Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".kube/config"))
                : Stream.of(named.split(File.pathSeparator))
                        .filter(name -> !name.isEmpty())
                        .map(Path::of);
        return files.filter(Files::isRegularFile).toList();
    }

    /// Throws IOException or a RuntimeException whose message may quote the files, which hold credentials.
    static Config read(List<Path> files, @Nullable String context) throws IOException {
        var parsed = new ArrayList<io.fabric8.kubernetes.api.model.Config>();
        for (var file : files) {
            parsed.add(parse(file));
        }
        var config = Config.empty();
        KubeConfigUtils.merge(config, context, parsed.toArray(io.fabric8.kubernetes.api.model.Config[]::new));
        return config;
    }

    private static io.fabric8.kubernetes.api.model.Config parse(Path path) throws IOException {
        Object content;
        try (var stream = Files.newInputStream(path)) {
            content = new Load(LoadSettings.builder().build()).loadFromInputStream(stream);
        }
        if (!(content instanceof Map<?, ?>)) {
            throw new IOException("not a kubeconfig");
        }
        var config = MAPPER.convertValue(content, io.fabric8.kubernetes.api.model.Config.class);
        var file = path.toFile();
        config.getContexts().forEach(context -> context.setAdditionalProperty(CONTEXT, file));
        config.getClusters().forEach(cluster -> cluster.setAdditionalProperty(CLUSTER, file));
        config.getUsers().forEach(user -> user.setAdditionalProperty(USER, file));
        return config;
    }
}
