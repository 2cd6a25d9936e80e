package io.github.etcdgitops.sandbox.node;

import io.github.etcdgitops.sandbox.etcd.EtcdReleases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/// Real etcd for tests: what `$ETCD_HOME` has, or a folder where developers usually keep several.
final class Etcds {
    private Etcds() {}

    /// Fetches nothing over the network.
    static EtcdReleases installed() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        Path usual = Path.of(System.getProperty("user.home"), ".cache", "etcd-gitops", "etcd");
        if (Files.isDirectory(usual)) {
            environment.putIfAbsent("ETCD_HOME", usual.toString());
        }
        environment.put("ETCD_RELEASES", "file:///nothing/is/fetched/by/tests");
        return EtcdReleases.of(environment);
    }

    /// The newest of these that is installed; the calling test is skipped when there is none.
    static String require(List<String> versions) throws InterruptedException {
        List<String> here = installed().installed();
        return versions.stream().filter(here::contains).findFirst().orElseGet(() -> {
            String skipped = "SKIPPED: none of etcd " + versions + " is installed; name their folder in ETCD_HOME";
            System.err.println(skipped);
            return Assumptions.abort(skipped);
        });
    }
}
