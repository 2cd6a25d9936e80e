package io.github.etcdgitops.cli.review;

import io.github.etcdgitops.cli.console.Surface;
import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.forge.ForgeSettings;
import io.github.etcdgitops.gateway.forge.Forges;
import io.github.etcdgitops.review.StatusPost;
import io.github.etcdgitops.review.StickyComment;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/// The composition root of reviews, which need neither Kubernetes nor etcd.
final class ReviewWiring {
    private ReviewWiring() {}

    record Where(Forge.Kind kind, URI api, String repository, String token, Optional<Path> ca) {
        /// Without the token.
        @Override
        public String toString() {
            return "Where[" + kind + ", " + api + ", " + repository + "]";
        }
    }

    static Forge open(Where where) {
        return Forges.open(
                new ForgeSettings(
                        where.kind(),
                        where.api(),
                        where.repository(),
                        where.token(),
                        where.ca(),
                        ForgeSettings.PATIENCE),
                Surface.clock(),
                Surface::pause);
    }

    static StickyComment comment(Forge forge, String marker, Optional<String> author, CiJob job) {
        return new StickyComment(forge, marker, author, job.author(), Surface::pause);
    }

    static StatusPost status(Forge forge) {
        return new StatusPost(forge, Surface::pause);
    }
}
