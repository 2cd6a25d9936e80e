package io.github.etcdgitops.doctor.fact;

import io.github.etcdgitops.gateway.access.ClusterProbe.Server;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/// Facts about the API server. `connection` is whether there is a kubeconfig at all.
public record ClusterFacts(
        Fact<String> connection,
        Fact<Server> server,
        Fact<Clock> clock,
        Fact<String> uid,
        Rights asked,
        Fact<SortedSet<String>> apis,
        Fact<List<String>> defaultClasses) {
    /// The rights of this identity, and of each account that it impersonates for rings.
    public record Rights(List<AccessRight> own, List<AccountFacts> accounts) {
        public Rights {
            own = List.copyOf(own);
            accounts = List.copyOf(accounts);
        }
    }

    public List<AccessRight> rights() {
        return asked.own();
    }

    public List<AccountFacts> accounts() {
        return asked.accounts();
    }

    /// The server's clock, in whole seconds, between two readings of ours.
    public record Clock(Instant sent, Optional<Instant> server, Instant received) {}

    public static ClusterFacts unreached(Fact<String> connection, Fact<Server> server) {
        return new ClusterFacts(
                connection,
                server,
                new Fact.Unasked<>(),
                new Fact.Unasked<>(),
                new Rights(List.of(), List.of()),
                new Fact.Unasked<>(),
                new Fact.Unasked<>());
    }
}
