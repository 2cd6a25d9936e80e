package io.github.etcdgitops.cli;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.pipeline.Environments;
import io.github.etcdgitops.pipeline.RunException;
import io.github.etcdgitops.spec.BackupPolicy;

/// A policy's place, opened.
record Shelf(BackupPolicy policy, String environment, BackupStore store) implements AutoCloseable {
    static Shelf open(Source source, Options.Repository repository, BackupOptions.Place place, BackupStores stores) {
        var policy = policy(source, place);
        String environment =
                Environments.ofRun(repository.environment(), source.desired().fleet());
        return new Shelf(policy, environment, stores.open(policy.destination()));
    }

    static BackupPolicy policy(Source source, BackupOptions.Place place) {
        var policies = source.desired().protection().policies();
        var names = policies.stream().map(BackupPolicy::name).toList();
        String wanted = place.policy;
        if (wanted == null && policies.size() == 1) {
            return policies.getFirst();
        }
        if (wanted == null) {
            throw new RunException(
                    RunException.Kind.CONFIGURATION,
                    names.isEmpty()
                            ? "the repository has no BackupPolicy that could say where backups are"
                            : "name a policy with --policy; there are " + String.join(", ", names));
        }
        return policies.stream()
                .filter(p -> p.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new RunException(
                        RunException.Kind.CONFIGURATION,
                        "there is no BackupPolicy " + wanted + " in the repository that can be carried out; there "
                                + (names.isEmpty() ? "is none" : "are " + String.join(", ", names))));
    }

    @Override
    public void close() {
        store.close();
    }
}
