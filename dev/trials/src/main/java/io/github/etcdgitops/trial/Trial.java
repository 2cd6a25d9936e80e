package io.github.etcdgitops.trial;

/// One thing to be shown on a real Kubernetes. Throws when it does not hold.
interface Trial {
    String name();

    void run(Bench bench, Figures figures) throws Exception;
}
