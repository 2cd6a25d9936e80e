package io.github.etcdgitops.cli;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.pipeline.Environments;
import io.github.etcdgitops.pipeline.RunException;
import io.github.etcdgitops.spec.BackupPolicy;
import java.util.Map;

/// A policy's place, opened, and the repository that the policy stands in.
record Shelf(Source source, BackupPolicy policy, String environment, BackupStore store) implements AutoCloseable {
    static Shelf open(BackupOptions.Place place, Map<String, String> variables) {
        var source = Source.open(place.repository, variables);
        try {
            var policy = policy(source, place);
            String environment = Environments.ofRun(
                    place.repository.environment(), source.desired().fleet());
            return new Shelf(
                    source, policy, environment, Wiring.stores(variables).open(policy.destination()));
        } catch (RuntimeException e) {
            source.close();
            throw e;
        }
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
        try (source) {
            store.close();
        }
    }
}
