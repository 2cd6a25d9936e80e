package io.github.etcdgitops.sandbox.contract;

import io.github.etcdgitops.sandbox.api.ApiServer;
import io.github.etcdgitops.sandbox.controller.Controllers;
import io.github.etcdgitops.sandbox.controller.FakeMachine;
import io.github.etcdgitops.sandbox.objects.MemoryObjects;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/// The contract holds of the sandbox's controllers, over its API and with pods that do nothing.
class SandboxControllersTest extends ControllersContract {
    @TempDir
    private static Path volumes;

    @Override
    KubeUnderTest open() {
        InstantSource clock = InstantSource.system();
        var objects = new MemoryObjects(clock);
        objects.create(Resource.NAMESPACE, "", KubeUnderTest.json("{'metadata': {'name': 'contract'}}"));
        var controllers = Controllers.start(objects, new Controllers.Settings(volumes, Duration.ofSeconds(20), clock));
        var machine = new FakeMachine(objects, "node-1");
        var server = ApiServer.start(objects, (namespace, pod, container, follow) -> Optional.empty(), 0);
        return new Sandbox(server, controllers, machine, HttpClient.newHttpClient());
    }

    private record Sandbox(ApiServer server, Controllers controllers, FakeMachine machine, HttpClient client)
            implements KubeUnderTest {
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
            machine.close();
            controllers.close();
            client.close();
        }
    }
}
