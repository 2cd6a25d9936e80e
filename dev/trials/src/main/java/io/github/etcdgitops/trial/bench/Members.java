package io.github.etcdgitops.trial.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.github.etcdgitops.it.ClientAccess;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.LastAnswers.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.StreamSupport;

/// Asks members over their HTTP gateway, as root where the ring has users, so that the trials see a ring with other
/// eyes than the product's.
public final class Members {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Bench bench;
    private final String name;
    private final HttpGateway gateway;
    private final SignIn root;

    public Members(Bench bench, String name) {
        this.bench = bench;
        this.name = name;
        this.gateway = new HttpGateway(bench.tls(name));
        this.root = bench.users().root(name);
    }

    /// A member as the member list shows it.
    public record Member(String id, String name, boolean learner) implements Comparable<Member> {
        @Override
        public int compareTo(Member other) {
            return id.compareTo(other.id);
        }
    }

    /// Names of the voters by the list of any member that answers.
    public SortedSet<String> voters() {
        var voters = new TreeSet<String>();
        list().ifPresent(l -> l.stream().filter(m -> !m.learner()).forEach(m -> voters.add(m.name())));
        return voters;
    }

    /// What each member that has a pod says it runs.
    public List<String> versions() {
        return pods().stream()
                .flatMap(pod -> Optional.ofNullable(pod.getStatus().getPodIP()).stream())
                .flatMap(ip -> post(ip, "/maintenance/status", "{}").stream())
                .map(status -> status.path("version").asText())
                .toList();
    }

    /// The highest that any member tells of; 0 where none answers. It rises by one with each election.
    public long term() {
        return pods().stream()
                .flatMap(pod -> Optional.ofNullable(pod.getStatus().getPodIP()).stream())
                .flatMap(ip -> post(ip, "/maintenance/status", "{}").stream())
                .mapToLong(status -> status.path("raftTerm").asLong())
                .max()
                .orElse(0);
    }

    /// What each member's file takes, and what of it is in use. Servers before 3.4 do not tell the second.
    public List<FileSize> files() {
        return pods().stream()
                .flatMap(pod -> Optional.ofNullable(pod.getStatus().getPodIP()).stream())
                .flatMap(ip -> post(ip, "/maintenance/status", "{}").stream())
                .map(status -> new FileSize(
                        status.path("dbSize").asLong(),
                        status.path("dbSizeInUse").asLong()))
                .toList();
    }

    /// For each member that answers, the version of its data and the target of a downgrade under way. Both are empty
    /// for
    /// servers of 3.5.
    public List<Storage> storages() {
        return pods().stream()
                .flatMap(pod -> Optional.ofNullable(pod.getStatus().getPodIP()).stream())
                .flatMap(ip -> post(ip, "/maintenance/status", "{}").stream())
                .map(status -> new Storage(
                        status.path("storageVersion").asText(),
                        status.path("downgradeInfo").path("enabled").asBoolean()
                                ? status.path("downgradeInfo")
                                        .path("targetVersion")
                                        .asText()
                                : ""))
                .toList();
    }

    public record Storage(String version, String downgradeTo) {}

    public record FileSize(long bytes, long inUse) {
        public boolean isLoose() {
            return inUse * 2 < bytes;
        }
    }

    /// Who leads, by name; empty where nobody knows.
    public String leader() {
        var list = list().orElse(List.of());
        return pods().stream()
                .flatMap(pod -> Optional.ofNullable(pod.getStatus().getPodIP()).stream())
                .flatMap(ip -> post(ip, "/maintenance/status", "{}").stream())
                .map(status -> status.path("leader").asText())
                .flatMap(id -> list.stream().filter(m -> m.id().equals(id)).map(Member::name))
                .findFirst()
                .orElse("");
    }

    /// Raises or ends the alarm for too little space, at whichever member answers.
    public void alarm(String action) {
        TrialFailure.unless(
                pods().stream()
                        .flatMap(pod -> Optional.ofNullable(pod.getStatus().getPodIP()).stream())
                        .anyMatch(ip -> post(
                                        ip,
                                        "/maintenance/alarm",
                                        "{\"action\": \"" + action + "\", \"memberID\": \""
                                                + healthy(ip).orElse("0") + "\", \"alarm\": \"NOSPACE\"}")
                                .isPresent()),
                "the alarm was not taken: " + action);
    }

    /// How many members run and have a leader.
    public long serving() {
        return pods().stream()
                .flatMap(pod -> Optional.ofNullable(pod.getStatus().getPodIP()).stream())
                .filter(ip -> healthy(ip).isPresent())
                .count();
    }

    /// Whether any member tells of an alarm.
    public boolean isAlarmed() {
        return pods().stream()
                .flatMap(pod -> Optional.ofNullable(pod.getStatus().getPodIP()).stream())
                .flatMap(ip -> post(ip, "/maintenance/alarm", "{\"action\": \"GET\"}").stream())
                .anyMatch(alarms -> !alarms.path("alarms").isEmpty());
    }

    /// Takes a member out of the ring, at whichever other one answers. etcd refuses that until its
    /// voters have been connected for five seconds.
    public void remove(String member) {
        String id = list().orElse(List.of()).stream()
                .filter(m -> m.name().equals(member))
                .findFirst()
                .map(Member::id)
                .orElseThrow(() -> new TrialFailure(member + " is no member"));
        EtcdProcess.await(
                member + " to be removed",
                Duration.ofSeconds(30),
                () -> pods().stream()
                        .filter(pod -> !pod.getMetadata().getName().equals(member))
                        .flatMap(pod -> Optional.ofNullable(pod.getStatus().getPodIP()).stream())
                        .anyMatch(ip -> post(ip, "/cluster/member/remove", "{\"ID\": \"" + id + "\"}")
                                .isPresent()));
    }

    public Optional<List<Member>> list() {
        return pods().stream()
                .map(p -> p.getStatus().getPodIP())
                .filter(ip -> ip != null)
                .map(this::list)
                .flatMap(Optional::stream)
                .findFirst();
    }

    public List<Pod> pods() {
        return bench.kube()
                .pods()
                .inNamespace(bench.namespace())
                .withLabel("etcdgitops.dev/cluster", name)
                .list()
                .getItems();
    }

    public Optional<List<Member>> list(String ip) {
        return post(ip, "/cluster/member/list", "{}")
                .map(answer -> StreamSupport.stream(answer.path("members").spliterator(), false)
                        .map(m -> new Member(
                                m.path("ID").asText(),
                                m.path("name").asText(),
                                m.path("isLearner").asBoolean()))
                        .toList());
    }

    /// The member's own ID when it runs and follows a leader or leads.
    public Optional<String> healthy(String ip) {
        return post(ip, "/maintenance/status", "{}")
                .filter(s -> !s.path("leader").asText("0").equals("0"))
                .map(s -> s.path("header").path("member_id").asText());
    }

    /// Who does not know root's token yet answers, and has no leader for all that anybody knows.
    public Answer answer(String ip) {
        return ask(ip, "/maintenance/status", "{}")
                .map(answer -> isLed(answer) ? Answer.LED : Answer.WITHOUT_LEADER)
                .orElse(Answer.NONE);
    }

    private static boolean isLed(HttpResponse<String> status) {
        return status.statusCode() == 200
                && !tree(status.body()).path("leader").asText("0").equals("0");
    }

    private Optional<JsonNode> post(String ip, String path, String body) {
        return ask(ip, path, body).filter(answer -> answer.statusCode() == 200).map(answer -> tree(answer.body()));
    }

    /// The answer, or the last refusal.
    private Optional<HttpResponse<String>> ask(String ip, String path, String body) {
        var shown = root.token();
        var answer = gateway.post(ip + ":2379", path, body, shown);
        if (answer.filter(Members::isRefusal).isEmpty()) {
            return answer.filter(a -> a.statusCode() == 200);
        }
        root.again(shown);
        return gateway.post(ip + ":2379", path, body, root.token())
                .filter(again -> again.statusCode() == 200 || isRefusal(again));
    }

    private static boolean isRefusal(HttpResponse<String> answer) {
        return answer.statusCode() != 200 && ClientAccess.isRefusal(answer.body());
    }

    private static JsonNode tree(String body) {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// How to come to each member that answers, for etcd's own client.
    public List<LiveRing.Way> ways() {
        return pods().stream()
                .map(pod -> pod.getStatus().getPodIP())
                .filter(ip -> ip != null && list(ip).isPresent())
                .map(ip -> ip + ":2379")
                .map(address -> new LiveRing.Way(address, bench.rootAccess(name, gateway.isSecured(address))))
                .toList();
    }
}
