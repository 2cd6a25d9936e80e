package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.RingManifests;
import io.github.etcdgitops.plan.ManualDrift;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.ManagedObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What policies may leave as somebody has changed it, held against what we write.
class LeftDriftTest {
    /// All that is written, place by place.
    private static List<String> places(Object value, String at) {
        var places = new ArrayList<String>();
        switch (value) {
            case Map<?, ?> map ->
                map.forEach((key, below) -> places.addAll(
                        places(below, at + "/" + String.valueOf(key).replace("/", "~1"))));
            case List<?> list -> {
                for (int i = 0; i < list.size(); i++) {
                    places.addAll(places(list.get(i), at + "/" + i));
                }
            }
            default -> places.add(at);
        }
        return places;
    }

    /// Of NetworkPolicy and connection only what is not ours: whoever adds a rule or an entry to what we write adds
    /// it to what cannot be left.
    @Test
    void nothingThatWeWriteCanBeLeftButForTheClientService() {
        var plain = Samples.defaults("3.5.16");
        var secured = new RingObjects(
                plain.spec(),
                plain.applied().with(new Transport(Transport.Mode.MUTUAL, Transport.Mode.MUTUAL)),
                3,
                2,
                1,
                Optional.of("a CA"));
        for (var ring : List.of(plain, Samples.full(), secured)) {
            for (var object : List.of(ManagedObject.NETWORK_POLICY, ManagedObject.CONNECTION)) {
                var written = places(Tree.plain(RingManifests.render(object, ring)), "");

                assertThat(written)
                        .isNotEmpty()
                        .noneMatch(pointer -> ManualDrift.named(object).leaves(pointer));
            }
        }
    }
}
