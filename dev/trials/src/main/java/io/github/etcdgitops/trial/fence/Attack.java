package io.github.etcdgitops.trial.fence;

import io.github.etcdgitops.trial.bench.Run;
/// One attempt to get more than one's place gives. `move` makes it, `fence` are words that the run must print: what
/// stopped it. `proof` looks at the world afterwards, where the words alone would not show that nothing got through.
///
/// The run goes on for all others unless `endsRun`: then it is the run's own repository that does not answer as it
/// should, and a run that goes on would act by what nobody wrote.

record Attack(Party party, String name, Move move, String fence, Proof proof, boolean endsRun) {
    /// Who tries it.
    enum Party {
        /// May merge into `clusters/team-b/`, `policies/team-b/`, `approvals/team-b/` and `tombstones/team-b/`.
        CONTRIBUTOR,
        /// Opens a pull request from a fork. It is judged by what the main branch has, and merged by nobody.
        FORK,
        /// May write every object of the namespace of team b, and none elsewhere.
        NAMESPACE_ADMIN,
        /// Is asked by a run: a store, a Git server, a Pushgateway, a DNS server, a member.
        SERVER
    }

    /// Writes files into the work tree, or objects into the cluster, or changes what a server answers.
    @FunctionalInterface
    interface Move {
        void play(FenceArena arena) throws Exception;
    }

    /// Fails when the attack got through.
    @FunctionalInterface
    interface Proof {
        void demand(FenceArena arena, Run run) throws Exception;
    }

    static Attack by(Party party, String name, Move move, String fence) {
        return new Attack(party, name, move, fence, (_, _) -> {}, false);
    }

    Attack proof(Proof more) {
        return new Attack(party, name, move, fence, more, endsRun);
    }

    Attack endsTheRun() {
        return new Attack(party, name, move, fence, proof, true);
    }
}
