package io.github.etcdgitops.trial.bench;

/// One thing to be shown on a real Kubernetes. Throws when it does not hold.
public interface Trial {
    String name();

    void run(Bench bench, Figures figures) throws Exception;
}
