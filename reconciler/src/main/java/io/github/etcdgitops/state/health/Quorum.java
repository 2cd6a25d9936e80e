package io.github.etcdgitops.state.health;

/// The arithmetic of a majority. `voters` counts voting members, whether they run or not; `healthy` counts
/// those that run.
public record Quorum(int voters, int healthy) {
    public Quorum {
        if (voters < 0 || healthy < 0 || healthy > voters) {
            throw new IllegalArgumentException(healthy + " healthy of " + voters + " voters");
        }
    }

    public static int of(int voters) {
        return voters / 2 + 1;
    }

    /// Voters needed for a write to be acknowledged.
    public int needed() {
        return of(voters);
    }

    /// How many voters may still fail before writes stop; negative when quorum is already lost.
    public int tolerance() {
        return healthy - needed();
    }

    public boolean holds() {
        return tolerance() >= 0;
    }
}
