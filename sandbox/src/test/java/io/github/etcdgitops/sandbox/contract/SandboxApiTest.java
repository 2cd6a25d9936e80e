package io.github.etcdgitops.sandbox.contract;

import io.github.etcdgitops.sandbox.api.ApiServer;
import io.github.etcdgitops.sandbox.objects.MemoryObjects;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.InstantSource;
import java.util.Optional;

/// The contract holds of the sandbox's API, without any controller.
class SandboxApiTest extends ApiContract {
    private static final int KEPT = 40;

    @Override
    KubeUnderTest open() {
        var objects = new MemoryObjects(InstantSource.system(), KEPT);
        objects.create(Resource.NAMESPACE, "", KubeUnderTest.json("{'metadata': {'name': 'contract'}}"));
        // The first versions are forgotten, as they are where a cluster has been up for a while.
        for (int i = 0; i < KEPT; i++) {
            objects.create(Resource.EVENT, "contract", KubeUnderTest.json("{'metadata': {'generateName': 'e-'}}"));
        }
        var server = ApiServer.start(objects, (namespace, pod, container, follow) -> Optional.empty(), 0);
        return new Sandbox(server, HttpClient.newHttpClient());
    }

    private record Sandbox(ApiServer server, HttpClient client) implements KubeUnderTest {
        @Override
        public URI base() {
            return URI.create(server.url());
        }

        @Override
        public String namespace() {
            return "contract";
        }

        @Override
        public void close() {
            server.close();
            client.close();
        }
    }
}
