package io.github.etcdgitops.execute;

/// A ring's slot among the rings that change at the same time. A ring whose pods Kubernetes does not start
/// makes no changes, and lends its slot to another ring.
public interface RolloutSlot {
    /// The slot of the ring that this thread works on; unbound where there is no limit.
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

    /// Does nothing where the slot is already lent.
    void lend();

    /// Takes a slot again, without waiting for one. True where it has one.
    boolean regain();
}
