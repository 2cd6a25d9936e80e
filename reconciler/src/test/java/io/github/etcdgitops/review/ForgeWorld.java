package io.github.etcdgitops.review;

import io.github.etcdgitops.fake.FakeForge;
import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.forge.ForgeSettings;
import io.github.etcdgitops.gateway.forge.Forges;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A stand-in of a forge, the real adapter to it, and pauses that pass at once.
final class ForgeWorld implements AutoCloseable {
    static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");
    static final String MARKER = "<!-- etcd-gitops review: production -->";

    final FakeForge fake;
    final Forge forge;
    final List<Duration> pauses = new ArrayList<>();

    ForgeWorld(Forge.Kind kind) {
        this(kind, ForgeSettings.PATIENCE);
    }

    ForgeWorld(Forge.Kind kind, Duration patience) {
        this.fake = new FakeForge(kind);
        this.forge = Forges.open(
                new ForgeSettings(kind, fake.api(), "acme/rings", FakeForge.TOKEN, Optional.empty(), patience),
                InstantSource.fixed(NOW),
                pauses::add);
    }

    StickyComment comment() {
        return comment(Optional.empty(), Optional.empty());
    }

    StickyComment comment(Optional<String> given, Optional<String> usual) {
        return new StickyComment(forge, MARKER, given, usual, pauses::add);
    }

    StickyComment.Deed keep(String text) {
        return comment()
                .keep(FakeForge.PULL_REQUEST, MARKER + "\n" + text + "\n")
                .deed();
    }

    StatusPost status() {
        return new StatusPost(forge, pauses::add);
    }

    @Override
    public void close() {
        forge.close();
        fake.close();
    }
}
