package io.github.etcdgitops.trial;

import static java.nio.charset.StandardCharsets.UTF_8;

/// The settings of the fleet under attack.
final class FenceFleet {
    private FenceFleet() {}

    static byte[] document(String environment, String victims, String attackers, BackupPlace place) {
        return new String(Bench.fleet(environment, ""), UTF_8).getBytes(UTF_8);
    }
}
