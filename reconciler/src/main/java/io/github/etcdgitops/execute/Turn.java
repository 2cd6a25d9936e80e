package io.github.etcdgitops.execute;

/// A ring's place among those that are changed at the same time. One whose pods Kubernetes does not start changes
/// nothing meanwhile, and lends its place to another ring.
public interface Turn {
    /// That of the ring whose work this thread does; none where nothing is bounded.
    ScopedValue<Turn> MINE = ScopedValue.newInstance();

    Turn UNBOUNDED = new Turn() {
        @Override
        public void lend() {}

        @Override
        public boolean regain() {
            return true;
        }
    };

    static Turn mine() {
        return MINE.orElse(UNBOUNDED);
    }

    /// Does nothing where it is lent already.
    void lend();

    /// Takes a place again, without waiting for one. True where it has one.
    boolean regain();
}
