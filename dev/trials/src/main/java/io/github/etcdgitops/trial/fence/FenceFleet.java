package io.github.etcdgitops.trial.fence;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.trial.backup.BackupPlace;
import io.github.etcdgitops.trial.bench.Bench;
import java.util.Optional;

/// The settings of the fleet under attack: each team has one folder of each kind and one namespace. Team a may use the
/// owners' backups, team b a folder and a bucket of its own; rings of team c stand on nodes of their own.
final class FenceFleet {
    private FenceFleet() {}

    static byte[] document(String environment, BackupPlace place, Optional<TenantAccounts> accounts) {
        return (new String(Bench.fleet(environment, ""), UTF_8)
                        + """
                          tenants:
                            - name: team-a
                              paths: [clusters/team-a/, policies/team-a/, approvals/team-a/, tombstones/team-a/]
                              namespaces: [ENV-a]ACCOUNT-a
                              backups: {policies: [nightly]}
                            - name: team-b
                              paths: [clusters/team-b/, policies/team-b/, approvals/team-b/, tombstones/team-b/]
                              namespaces: [ENV-b]ACCOUNT-b
                              backups: {destinations: ["file://PLACE-b/", "s3://loot/", "gs://loot/"]}
                            - name: team-c
                              paths: [clusters/team-c/]
                              namespaces: [ENV-c]ACCOUNT-c
                              nodes: {selector: {dedicated: team-c}, tolerations: [dedicated]}
                        """.replace("PLACE", place.folder().toString()).replace("ENV", environment).replaceAll(
                                "ACCOUNT-(.)", accounts.isPresent() ? "\n      serviceAccount: etcd-rings-$1" : ""))
                .getBytes(UTF_8);
    }
}
