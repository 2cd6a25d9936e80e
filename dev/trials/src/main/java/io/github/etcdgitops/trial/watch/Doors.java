package io.github.etcdgitops.trial.watch;

import io.fabric8.kubernetes.api.model.Pod;
import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.Credential;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Caller;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.RingTls;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/// Who is let in to the members of a ring, at which port: found out by calling, with a certificate of the
/// ring's own, one of a stranger's CA, one of another ring, and none.
public final class Doors {
    private static final int CLIENTS = 2379;
    private static final int PEERS = 2380;
    private static final int PEERS_TLS = 2381;

    private final Bench bench;
    private final String ring;
    private final Map<String, SSLContext> strangers = new LinkedHashMap<>();
    private final RingTls.Client own;

    public Doors(Bench bench, String ring) {
        this.bench = bench;
        this.ring = ring;
        this.own = bench.tls(ring).require();
        strangers.put("without a certificate", context(Optional.empty()));
        strangers.put("with a stranger's certificate", context(Optional.of(ofStranger())));
    }

    /// Another ring with TLS.
    public Doors notFor(String other) {
        strangers.put(
                "with a certificate of " + other,
                context(Optional.of(bench.tls(other).require().credential())));
        return this;
    }

    /// The certificate says all the same as the ring's own, but for who signed it.
    private Credential ofStranger() {
        var ref = new ClusterRef(bench.namespace(), ring);
        var now = Instant.now();
        return Authority.create(ref, now, Duration.ofDays(1)).issue(Leaf.CLIENT, ref, now, Duration.ofHours(1));
    }

    private SSLContext context(Optional<Credential> shown) {
        return Caller.of(own.ca(), shown).strict();
    }

    /// Every member lets in whoever has the ring's certificate, and nobody else. Returns what the others
    /// were told.
    public List<String> demandClosed() {
        var said = new ArrayList<String>();
        var knocks = new ArrayList<Knock>();
        new Members(bench, ring).pods().forEach(pod -> {
            String address = pod.getStatus().getPodIP();
            String name = name(pod);
            knocks.add(new Knock(address, CLIENTS, name));
            knocks.add(new Knock(address, PEERS_TLS, name));
            refused(new Knock(address, PEERS, name), "in the clear", new Knock(address, PEERS, name).plain(), said);
        });
        TrialFailure.unless(!knocks.isEmpty(), ring + " has no pods");
        knocks.forEach(knock -> {
            refused(knock, "in the clear", knock.plain(), said);
            strangers.forEach((who, context) -> refused(knock, who, knock.over(context), said));
            var answer = knock.over(context(Optional.of(own.credential())));
            TrialFailure.unless(
                    answer.served(), at(knock) + " does not serve who belongs to the ring: " + answer.text());
        });
        return said;
    }

    /// Whether nobody lets in who shows a certificate that the ring had before.
    public boolean shutOut(RingTls.Client former) {
        var context = context(Optional.of(former.credential()));
        return knocks().stream().noneMatch(knock -> knock.over(context).served());
    }

    private List<Knock> knocks() {
        return new Members(bench, ring)
                .pods().stream()
                        .flatMap(pod -> Stream.of(CLIENTS, PEERS_TLS)
                                .map(port -> new Knock(pod.getStatus().getPodIP(), port, name(pod))))
                        .toList();
    }

    private static void refused(Knock knock, String who, Knock.Answer answer, List<String> said) {
        TrialFailure.unless(!answer.served(), at(knock) + " is open " + who);
        said.add(knock.port() + " " + who + ": " + answer.text());
    }

    private static String at(Knock knock) {
        return "port " + knock.port() + " of " + knock.name();
    }

    /// When the certificate ends that is shown at both doors of each member.
    public List<Instant> certificatesEnd() {
        var ends = new ArrayList<Instant>();
        var context = context(Optional.of(own.credential()));
        new Members(bench, ring).pods().forEach(pod -> {
            String name = name(pod);
            for (int port : List.of(CLIENTS, PEERS_TLS)) {
                var answer = new Knock(pod.getStatus().getPodIP(), port, name).over(context);
                ends.add(answer.ends()
                        .orElseThrow(() -> new TrialFailure("port " + port + " of " + name
                                + " does not serve who belongs to the ring: " + answer.text())));
            }
        });
        return ends;
    }

    /// In which ways members serve who belongs to the ring: one line where all do so in the same ways.
    public static SortedSet<String> ways(Bench bench, String ring) {
        var ways = new TreeSet<String>();
        var context = bench.tls(ring)
                .client()
                .map(c -> Caller.of(c.ca(), Optional.of(c.credential())).strict());
        for (var pod : new Members(bench, ring).pods()) {
            var open = new ArrayList<String>();
            for (int port : List.of(CLIENTS, PEERS, PEERS_TLS)) {
                var knock = new Knock(pod.getStatus().getPodIP(), port, name(pod));
                if (knock.plain().served()) {
                    open.add(port + " clear");
                }
                if (context.filter(c -> knock.over(c).served()).isPresent()) {
                    open.add(port + " TLS");
                }
            }
            ways.add(String.join(", ", open));
        }
        return ways;
    }

    public static void demandWays(Bench bench, String ring, String wanted) {
        TrialFailure.unlessSame("the ways to members of " + ring, new TreeSet<>(List.of(wanted)), ways(bench, ring));
    }

    private static String name(Pod pod) {
        var meta = pod.getMetadata();
        return meta.getName() + "." + pod.getSpec().getSubdomain() + "." + meta.getNamespace() + ".svc";
    }
}
