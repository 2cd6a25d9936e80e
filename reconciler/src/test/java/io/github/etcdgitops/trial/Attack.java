package io.github.etcdgitops.trial;

import java.util.List;

/// One attempt to get more than one's place gives. `move` makes it, `stops` are words that the run must print: the
/// fence that stopped it. `proof` looks at the world afterwards, where the words alone would not show that nothing
/// got through.
///
/// The run goes on for all others unless `endsRun`: then a setting of the owners themselves was hit, and a run that
/// goes on would act by settings that nobody wrote.
record Attack(Party party, String name, Move move, List<String> stops, Proof proof, boolean endsRun) {
    /// Who tries it.
    enum Party {
        /// May merge into `clusters/team-b/`, `policies/team-b/`, `approvals/team-b/` and `tombstones/team-b/`.
        CONTRIBUTOR,
        /// Opens a pull request from a fork.
        FORK,
        /// May write every object of the namespace of team b, and none elsewhere.
        NAMESPACE_ADMIN,
        /// Is asked by a run: a store, a forge, a DNS server.
        SERVER
    }

    /// Writes files into the work tree, or objects into the cluster.
    @FunctionalInterface
    interface Move {
        void play(FenceArena arena) throws Exception;
    }

    /// Fails when the attack got through.
    @FunctionalInterface
    interface Proof {
        void demand(FenceArena arena, Run run) throws Exception;
    }

    static Attack by(Party party, String name, Move move, String... stops) {
        return new Attack(party, name, move, List.of(stops), (_, _) -> {}, false);
    }

    Attack proof(Proof more) {
        return new Attack(party, name, move, stops, more, endsRun);
    }

    Attack endsTheRun() {
        return new Attack(party, name, move, stops, proof, true);
    }
}
