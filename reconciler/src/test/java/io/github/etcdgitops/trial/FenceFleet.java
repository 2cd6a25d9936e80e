package io.github.etcdgitops.trial;

import static java.nio.charset.StandardCharsets.UTF_8;

/// The settings of the fleet under attack: each team has one folder of each kind and one namespace. Team a may use the
/// owners' backups, team b a folder of its own; rings of team c stand on nodes of their own.
final class FenceFleet {
    private FenceFleet() {}

    static byte[] document(String environment, String victims, String attackers, BackupPlace place) {
        return (new String(Bench.fleet(environment, ""), UTF_8)
                        + """
                          tenants:
                            - name: team-a
                              paths: [clusters/team-a/, policies/team-a/, approvals/team-a/, tombstones/team-a/]
                              namespaces: [%s]
                              backups: {policies: [nightly]}
                            - name: team-b
                              paths: [clusters/team-b/, policies/team-b/, approvals/team-b/, tombstones/team-b/]
                              namespaces: [%s]
                              backups: {destinations: ["file://%s-b/"]}
                            - name: team-c
                              paths: [clusters/team-c/]
                              namespaces: ["%s-c"]
                              nodes: {selector: {dedicated: team-c}, tolerations: [dedicated]}
                        """.formatted(victims, attackers, place.folder(), victims))
                .getBytes(UTF_8);
    }
}
