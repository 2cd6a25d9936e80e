package io.github.etcdgitops.trial;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.github.etcdgitops.trial.Attack.Party;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/// The admin of team b's namespace leads the calls for the own member to the member of team a, and asks for a change of
/// membership there.
final class MemberAttack {
    private static final String CLIENTS = ":2379/v3/cluster/member/list";

    private MemberAttack() {}

    static Attack foreignAddress() {
        return Attack.by(
                        Party.NAMESPACE_ADMIN,
                        "a pod status with the address of team a's member, while the own ring is to grow",
                        arena -> {
                            var pod = arena.admin()
                                    .pods()
                                    .inNamespace(arena.attackers())
                                    .withName(FenceArena.OWN + "-0");
                            String before = pod.get().getStatus().getPodIP();
                            address(pod, quiet(arena).getStatus().getPodIP());
                            arena.afterwards(() -> address(pod, before));
                            arena.write(
                                    "clusters/team-b/own.yaml",
                                    new String(arena.ring(FenceArena.OWN, arena.attackers(), ""), UTF_8)
                                            .replace("size: 1\n", "size: 3\n"));
                        },
                        "cluster ID")
                .proof((arena, _) -> TrialFailure.unlessSame("the members of team a's ring", 1, members(arena)));
    }

    private static Pod quiet(FenceArena arena) {
        return arena.kube()
                .pods()
                .inNamespace(arena.victims())
                .withName(FenceArena.QUIET + "-0")
                .get();
    }

    private static void address(PodResource pod, String address) {
        pod.editStatus(found -> {
            found.getStatus().setPodIP(address);
            found.getStatus().getPodIPs().forEach(one -> one.setIp(address));
            return found;
        });
    }

    private static int members(FenceArena arena) throws Exception {
        var ask = HttpRequest.newBuilder(
                        URI.create("http://" + quiet(arena).getStatus().getPodIP() + CLIENTS))
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        try (var client = HttpClient.newHttpClient()) {
            return new ObjectMapper()
                    .readTree(client.send(ask, BodyHandlers.ofString()).body())
                    .path("members")
                    .size();
        }
    }
}
