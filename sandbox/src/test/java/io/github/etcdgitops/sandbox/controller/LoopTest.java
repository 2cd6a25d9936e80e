package io.github.etcdgitops.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.MemoryObjects;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Refusal;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LoopTest {
    private final KubeObjects objects = new MemoryObjects(InstantSource.system(), 10);
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    @Test
    void triesAgainWhateverAStepThrows() throws InterruptedException {
        var attempts = new AtomicInteger();
        create("one");

        try (var loop = loop(key -> switch (attempts.incrementAndGet()) {
            case 1 -> throw new IllegalStateException("a bug");
            case 2 -> throw Refusal.conflict(Resource.CONFIG_MAP, key.name(), "stale");
            default -> record(key);
        })) {
            assertThat(next()).isEqualTo("one");
            assertThat(loop).isNotNull();
        }

        assertThat(attempts).hasValue(3);
    }

    @Test
    void namesTheKeysThatAnObjectHadBefore() throws InterruptedException {
        create("one");
        var byLabel = new Loop.Source<>(
                Resource.CONFIG_MAP,
                (ObjectNode map) ->
                        List.of(new Key("default", Meta.labels(map).path("of").asText("nobody"))));
        try (var loop = new Loop<>("test", objects, List.of(byLabel), this::record).start()) {
            assertThat(next()).isEqualTo("nobody");

            objects.update(Resource.CONFIG_MAP, "default", "one", map -> {
                Meta.of(map).putObject("labels").put("of", "somebody");
                return map;
            });

            assertThat(List.of(next(), next())).containsExactlyInAnyOrder("nobody", "somebody");
            assertThat(loop).isNotNull();
        }
    }

    @Test
    void comesAgainAfterTheTimeThatTheStepNames() throws InterruptedException {
        create("one");

        try (var loop = loop(key -> {
            record(key);
            return Optional.of(Duration.ofMillis(1));
        })) {
            assertThat(List.of(next(), next(), next())).containsOnly("one");
            assertThat(loop).isNotNull();
        }
    }

    @Test
    void looksAtEverythingAgainWhenItFellTooFarBehind() throws InterruptedException {
        create("one");
        try (var loop = loop(key -> {
            record(key);
            while (key.name().equals("one")
                    && objects.find(Resource.CONFIG_MAP, "default", "last").isEmpty()) {
                Thread.onSpinWait();
            }
            return Optional.empty();
        })) {
            assertThat(next()).isEqualTo("one");

            for (int i = 0; i < 100; i++) {
                create("many-" + i);
            }
            create("last");

            String name = next();
            while (!name.equals("last")) {
                name = next();
            }
            assertThat(loop).isNotNull();
        }
    }

    private Loop<Key> loop(Loop.Step<Key> step) {
        var all = new Loop.Source<Key>(Resource.CONFIG_MAP, map -> List.of(Key.of(map)));
        return new Loop<>("test", objects, List.of(all), step).start();
    }

    private Optional<Duration> record(Key key) {
        seen.add(key.name());
        return Optional.empty();
    }

    private String next() throws InterruptedException {
        String next = seen.poll(20, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    private void create(String name) {
        objects.create(Resource.CONFIG_MAP, "default", Sample.of("{metadata: {name: %s}}".formatted(name)));
    }
}
