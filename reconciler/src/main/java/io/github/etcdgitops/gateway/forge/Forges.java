package io.github.etcdgitops.gateway.forge;

import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.gateway.forge.GitHubForge.Dialect;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;

/// The only place that knows how each forge is created.
public final class Forges {
    private Forges() {}

    public static Forge open(ForgeSettings settings, InstantSource clock, Consumer<Duration> pause) {
        Map<String, String> headers = switch (settings.kind()) {
            case GITHUB -> GitHubForge.headers(Dialect.GITHUB, settings.token());
            case GITLAB -> GitLabForge.headers(settings.token());
            case GITEA -> GitHubForge.headers(Dialect.GITEA, settings.token());
        };
        var http = new ForgeHttp(settings, headers, clock, pause);
        return switch (settings.kind()) {
            case GITHUB -> new GitHubForge(Dialect.GITHUB, http, settings.repository());
            case GITLAB -> new GitLabForge(http, settings.repository());
            case GITEA -> new GitHubForge(Dialect.GITEA, http, settings.repository());
        };
    }
}
