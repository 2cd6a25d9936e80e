package io.github.etcdgitops.trial.fence;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fence.Attack.Party;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;

/// What servers answer that a run asks: a store of team b that the operator allows, a Pushgateway, a Git server, DNS.
final class ServerAttacks {
    private static final long FOREVER = 1L << 40;
    private static final String LISTING = "<?xml version=\"1.0\"?><ListBucketResult><Name>loot</Name>";
    private static final String ENTRY = "<Contents><Key>k</Key><Size>1</Size></Contents>";

    private ServerAttacks() {}

    static List<Attack> all() {
        return Stream.of(stores(), others()).flatMap(List::stream).toList();
    }

    private static List<Attack> stores() {
        return List.of(
                store(
                        "redirects to another server",
                        arena -> HostileServer.redirect(
                                307, arena.snare().url("http").toString()),
                        "redirects to another server"),
                store(
                        "moves a bucket to another server",
                        arena -> HostileServer.redirect(
                                301, arena.snare().url("http").toString()),
                        "redirects to another server"),
                store(
                        "answers with a page",
                        _ -> HostileServer.text(200, "text/html", "<html><body>Sign in</body></html>"),
                        "text/html"),
                store(
                        "lists keys without an end",
                        _ -> HostileServer.endless(LISTING, ENTRY, FOREVER),
                        "could not be read"),
                store(
                        "answers with the same next page for ever",
                        _ -> HostileServer.text(
                                200,
                                "application/xml",
                                LISTING + "<IsTruncated>true</IsTruncated>" + ENTRY
                                        + "<NextContinuationToken>t</NextContinuationToken></ListBucketResult>"),
                        "could not be read"),
                store(
                        "lists a folder by an entity of a billion letters",
                        _ -> HostileServer.text(200, "application/xml", entities()),
                        "could not be read"),
                store(
                        "answers with a control sequence and a workflow command",
                        _ -> HostileServer.text(
                                403,
                                "application/xml",
                                "<Error><Code>AccessDenied</Code><Message>\u001b]8;;http://x\u0007\n::error file=x::y"
                                        + "</Message></Error>"),
                        "could not be read"));
    }

    private interface Script {
        HostileServer.Answer of(FenceArena arena) throws Exception;
    }

    private static String entities() {
        var text = new StringBuilder("<?xml version=\"1.0\"?><!DOCTYPE l [<!ENTITY e0 \"x\">");
        for (int i = 1; i < 31; i++) {
            text.append("<!ENTITY e" + i + " \"&e" + (i - 1) + ";&e" + (i - 1) + ";\">");
        }
        return text + "]><ListBucketResult><Name>&e30;</Name></ListBucketResult>";
    }

    private static Attack store(String does, Script script, String fence) {
        return Attack.by(
                        Party.SERVER,
                        "a store that " + does,
                        arena -> {
                            arena.server().answers(script.of(arena));
                            arena.backsUp(
                                    arena.attackers(),
                                    FenceArena.bucket(arena.server().url(), "loot"));
                        },
                        fence)
                .proof((_, run) -> TrialFailure.unless(
                        !run.log().contains("\u001b")
                                && run.log().lines().noneMatch(line -> line.startsWith("::error")),
                        "the answer is printed as it is"));
    }

    private static List<Attack> others() {
        return List.of(
                Attack.by(
                        Party.SERVER,
                        "a Pushgateway that redirects to another server",
                        arena -> {
                            arena.server()
                                    .answers(HostileServer.redirect(
                                            307, arena.snare().url("http").toString()));
                            arena.runs("ETCD_GITOPS_PUSHGATEWAY", arena.server().url());
                        },
                        "answered the metrics with HTTP 307"),
                Attack.by(
                        Party.SERVER,
                        "a DNS server that leads a store's name to the machine's metadata",
                        arena -> {
                            var hosts = Files.writeString(
                                    arena.bench().folder().resolve("hosts"), "169.254.169.254 store.example.org\n");
                            arena.runs("JDK_JAVA_OPTIONS", "-Djdk.net.hosts.file=" + hosts);
                            arena.backsUp(arena.attackers(), FenceArena.bucket("https://store.example.org", "loot"));
                        },
                        "link-local"),
                Attack.by(
                                Party.SERVER,
                                "a Git server that redirects to another server",
                                arena -> {
                                    arena.server()
                                            .answers(HostileServer.redirect(
                                                    302,
                                                    arena.snare().url("http").toString()));
                                    arena.reads(arena.server().url() + "/config.git");
                                },
                                "redirect")
                        .endsTheRun(),
                Attack.by(
                                Party.SERVER,
                                "a Git server that answers with references without an end",
                                arena -> {
                                    arena.server().answers(references());
                                    arena.reads(arena.server().url() + "/config.git");
                                },
                                "error")
                        .endsTheRun());
    }

    private static HostileServer.Answer references() {
        String line = "003d" + "a".repeat(40) + " refs/heads/main-0123\n";
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/x-git-upload-pack-advertisement");
            exchange.sendResponseHeaders(200, 0);
            var body = exchange.getResponseBody();
            body.write("001e# service=git-upload-pack\n0000".getBytes(US_ASCII));
            byte[] block = line.repeat(1000).getBytes(US_ASCII);
            for (long sent = 0; sent < FOREVER; sent += block.length) {
                body.write(block);
            }
        };
    }
}
