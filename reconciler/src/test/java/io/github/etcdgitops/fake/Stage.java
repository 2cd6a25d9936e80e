package io.github.etcdgitops.fake;

/// How far an operation had come when its run ended: everything up to the named point was done.
public final class Stage {
    private Stage() {}

    public enum Found {
        JOURNALLED,
        OBJECTS,
        CONFIGURED,
        CREATED,
        RUNNING,
        RECORDED,
        /// The first member only.
        HALF_SEALED,
        SEALED,
        FINISHED
    }

    public enum Join {
        BEGUN,
        /// The call to etcd was made, its answer was not written down.
        ADDED,
        RECORDED,
        CONFIGURED,
        SCALED,
        STARTED,
        SEALED,
        BUDGETED,
        PROMOTED,
        ADMITTED
    }

    public enum Leave {
        BEGUN,
        BLOCKED,
        REMOVED,
        SHRUNK,
        GONE,
        RELEASED,
        BUDGETED
    }
}
