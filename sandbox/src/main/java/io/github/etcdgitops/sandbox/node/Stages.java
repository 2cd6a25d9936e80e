package io.github.etcdgitops.sandbox.node;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The containers of a pod in their order: the first ones one after the other, each when the one before has ended
/// well, and then all others at once.
record Stages(List<ContainerRun> first, List<ContainerRun> main) {
    Stages {
        first = List.copyOf(first);
        main = List.copyOf(main);
    }

    /// Starts whatever's turn has come.
    void advance() {
        for (ContainerRun container : first) {
            container.start();
            if (!container.view().succeeded()) {
                return;
            }
        }
        main.forEach(ContainerRun::start);
    }

    Stream<ContainerRun> all() {
        return Stream.concat(first.stream(), main.stream());
    }

    boolean over() {
        return all().allMatch(ContainerRun::over);
    }

    void stop(Duration grace) {
        all().forEach(container -> container.stop(grace));
    }

    Optional<ContainerRun> named(String name) {
        return all().filter(container -> container.container().name().equals(name))
                .findFirst();
    }

    /// The first of the main ones that runs, or of those before them.
    Optional<RunningContainer> running() {
        return Stream.concat(main.stream(), first.stream())
                .flatMap(container -> container.running().stream())
                .findFirst();
    }

    static Map<ContainerSpec, ContainerView> views(List<ContainerRun> containers) {
        var views = new LinkedHashMap<ContainerSpec, ContainerView>();
        containers.forEach(container -> views.put(container.container(), container.view()));
        return views;
    }
}
