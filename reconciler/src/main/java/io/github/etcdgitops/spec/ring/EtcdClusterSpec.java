package io.github.etcdgitops.spec.ring;

import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.release.Catalog;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Features;
import io.github.etcdgitops.spec.value.Quantity;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.validation.Location;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The desired state of one ring, with all defaults. `size` counts voters.
public record EtcdClusterSpec(
        ClusterRef ref,
        int size,
        Server server,
        Storage storage,
        PodTemplate podTemplate,
        Access access,
        Declaration declaration) {
    /// More members make writes slower and add hardly any tolerance: etcd itself advises at most 7.
    public static final int MAX_SIZE = 9;

    /// For a ring whose document says nothing about users and roles.
    public EtcdClusterSpec(
            ClusterRef ref,
            int size,
            Server server,
            Storage storage,
            PodTemplate podTemplate,
            NetworkAccess network,
            Declaration declaration) {
        this(ref, size, server, storage, podTemplate, new Access(network, Optional.empty()), declaration);
    }

    public NetworkAccess network() {
        return access.network();
    }

    /// The users and roles of the ring. Without them, nobody asks for any, and none is touched.
    public Optional<Auth> auth() {
        return access.auth();
    }

    /// A placeholder for the document of a ring without one, for code that never uses its contents.
    public static EtcdClusterSpec without(ClusterRef ref, int size, EtcdVersion version) {
        return new EtcdClusterSpec(
                ref,
                size,
                new Server(version, new Image("", Optional.empty(), Optional.empty()), new TreeMap<>()),
                new Storage("", Optional.empty()),
                new PodTemplate(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>()),
                new NetworkAccess(Optional.empty(), Optional.empty()),
                new Declaration(
                        Location.ofFile("."),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        new TreeMap<>(),
                        new Rollout(List.of(), Duration.ZERO, 0, Catalog.NONE)));
    }

    /// The same, with the volumes and members to give up.
    public EtcdClusterSpec asking(List<VolumeReset> resets, List<MemberReplacement> replacements) {
        if (resets.isEmpty() && replacements.isEmpty()) {
            return this;
        }
        var handling = declaration.handling();
        var repairs = handling.repairs().asking(resets, replacements);
        return with(
                new Handling(handling.suspend(), handling.adopt(), repairs, handling.maintenance(), handling.drift()));
    }

    /// The same, with the drift handling of its policies.
    public EtcdClusterSpec leaving(List<DriftHandling> drift) {
        var handling = declaration.handling();
        return with(
                new Handling(handling.suspend(), handling.adopt(), handling.repairs(), handling.maintenance(), drift));
    }

    /// The same on another version, with the image of that version.
    public EtcdClusterSpec on(EtcdVersion version) {
        var image = new Image(
                server.image().repository(), Optional.empty(), server.image().pullPolicy());
        var other = new Server(version, image, server.options(), server.tls(), server.features());
        return new EtcdClusterSpec(ref, size, other, storage, podTemplate, access, declaration);
    }

    /// What is known about the releases of etcd.
    public Catalog catalog() {
        return declaration.rollout().catalog();
    }

    /// The same, with these users and roles.
    public EtcdClusterSpec with(Optional<Auth> wanted) {
        return new EtcdClusterSpec(
                ref, size, server, storage, podTemplate, new Access(access.network(), wanted), declaration);
    }

    private EtcdClusterSpec with(Handling handling) {
        return new EtcdClusterSpec(ref, size, server, storage, podTemplate, access, declaration.with(handling));
    }

    /// What runs in a member. `options` are etcd's own settings by their name in the schema
    /// (`quotaBackendBytes`). `tls` already includes what a gate of `features` asks of the transport.
    public record Server(
            EtcdVersion version, Image image, SortedMap<String, Object> options, Tls tls, Features features) {
        public Server {
            options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
        }

        /// In plain text, with every gate at its default.
        public Server(EtcdVersion version, Image image, SortedMap<String, Object> options) {
            this(version, image, options, Tls.NONE, Features.NONE);
        }

        /// A digest belongs to `version`; for any other release only the tag is right.
        public String imageOf(EtcdVersion release) {
            return release.equals(version) ? image.reference(release) : image.repository() + ":v" + release;
        }
    }

    /// A digest, where given, pins the image; then the tag is only for people.
    public record Image(String repository, Optional<String> digest, Optional<String> pullPolicy) {
        public String reference(EtcdVersion version) {
            return digest.map(d -> repository + "@" + d).orElseGet(() -> repository + ":v" + version);
        }
    }

    /// `size` is a Kubernetes quantity. Without a class name, the default class of the Kubernetes cluster
    /// applies.
    public record Storage(String size, Optional<String> storageClassName) {
        /// Compares sizes, whatever their notation.
        public boolean isAsLargeAs(Storage other) {
            return Quantity.parse(size)
                    .flatMap(own -> Quantity.parse(other.size).map(o -> own.compareTo(o) == 0))
                    .orElse(false);
        }
    }

    /// `resources` and `pod` are Kubernetes' own structures (affinity, tolerations, nodeSelector, …) as
    /// plain maps and lists.
    public record PodTemplate(
            SortedMap<String, String> labels,
            SortedMap<String, String> annotations,
            SortedMap<String, Object> resources,
            SortedMap<String, Object> pod) {
        public PodTemplate {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
            annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
            resources = Collections.unmodifiableSortedMap(new TreeMap<>(resources));
            pod = Collections.unmodifiableSortedMap(new TreeMap<>(pod));
        }
    }

    /// Who may reach the ring, and what each client may do there.
    public record Access(NetworkAccess network, Optional<Auth> auth) {}

    /// Who may reach the ring. Unsafe: an absent selector (a Kubernetes label selector for namespaces)
    /// admits everyone.
    public record NetworkAccess(Optional<Map<String, Object>> clients, Optional<Map<String, Object>> metrics) {}

    /// The location of the spec and its handling. `notYet` names accepted fields that no operation carries
    /// out yet. `backupPolicy` is named whether or not it exists; `labels` are the document's, by which
    /// policies select rings.
    public record Declaration(
            Location source,
            Optional<String> environment,
            Handling handling,
            List<NotYet> notYet,
            Optional<String> backupPolicy,
            SortedMap<String, String> labels,
            Rollout rollout) {
        public Declaration {
            notYet = List.copyOf(notYet);
            labels = labels.isEmpty()
                    ? Collections.emptySortedMap()
                    : Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        }

        /// For a ring that was ours from the start.
        public Declaration(
                Location source,
                Optional<String> environment,
                Optional<Suspension> suspend,
                List<NotYet> notYet,
                Optional<String> backupPolicy,
                SortedMap<String, String> labels,
                Rollout rollout) {
            this(
                    source,
                    environment,
                    new Handling(suspend, Optional.empty(), Repairs.DEFAULT, Maintenance.DEFAULT),
                    notYet,
                    backupPolicy,
                    labels,
                    rollout);
        }

        Declaration with(Handling other) {
            return new Declaration(source, environment, other, notYet, backupPolicy, labels, rollout);
        }

        public Optional<Suspension> suspend() {
            return handling.suspend();
        }

        public Optional<Adoption> adopt() {
            return handling.adopt();
        }
    }

    /// Whether the ring is suspended, whether a foreign ring is to become it, what is repaired, how its
    /// stores are maintained, and which `drift` stays.
    public record Handling(
            Optional<Suspension> suspend,
            Optional<Adoption> adopt,
            Repairs repairs,
            Maintenance maintenance,
            List<DriftHandling> drift) {
        public Handling {
            drift = List.copyOf(drift);
        }

        /// Where no policy handles drift.
        public Handling(
                Optional<Suspension> suspend, Optional<Adoption> adopt, Repairs repairs, Maintenance maintenance) {
            this(suspend, adopt, repairs, maintenance, List.of());
        }
    }

    /// How members restart one after the other. `via` are versions to pause at on the way to the wanted
    /// one. `soak` is how long each restarted member is watched before the next one. A higher `attempt`
    /// repeats a failed roll. `catalog` is what is known about the versions on the way.
    public record Rollout(List<EtcdVersion> via, Duration soak, int attempt, Catalog catalog) {

        public Rollout {
            via = List.copyOf(via);
        }
    }

    /// Stops every change to the ring until the given instant (for good when there is none).
    public record Suspension(String reason, String by, Optional<Instant> until) {
        public boolean activeAt(Instant now) {
            return until.map(now::isBefore).orElse(true);
        }
    }

    /// `blocksBootstrap` is set where a ring created without the field would not be the requested one (no
    /// TLS, no auth, no data).
    public record NotYet(String pointer, String what, boolean blocksBootstrap) {}
}
