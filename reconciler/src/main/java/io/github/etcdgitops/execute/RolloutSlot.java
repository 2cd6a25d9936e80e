package io.github.etcdgitops.execute;

/// A ring's place among those that are changed at the same time. One whose pods Kubernetes does not start changes
/// nothing meanwhile, and lends its place to another ring.
public interface RolloutSlot {
    /// That of the ring whose work this thread does; none where nothing is bounded.
    ScopedValue<RolloutSlot> MINE = ScopedValue.newInstance();

    RolloutSlot UNBOUNDED = new RolloutSlot() {
        @Override
        public void lend() {}

        @Override
        public boolean regain() {
            return true;
        }
    };

    static RolloutSlot mine() {
        return MINE.orElse(UNBOUNDED);
    }

    /// Does nothing where it is lent already.
    void lend();

    /// Takes a place again, without waiting for one. True where it has one.
    boolean regain();
}
