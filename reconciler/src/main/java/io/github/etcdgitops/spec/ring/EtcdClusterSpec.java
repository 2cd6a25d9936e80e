package io.github.etcdgitops.spec.ring;

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

/// The desired state of one ring, defaults filled in. `size` counts voters.
public record EtcdClusterSpec(
        ClusterRef ref,
        int size,
        Server server,
        Storage storage,
        PodTemplate podTemplate,
        NetworkAccess network,
        Declaration declaration) {
    /// More members make writes slower and bear hardly more: etcd itself advises at most 7.
    public static final int MAX_SIZE = 9;

    /// In the place of the document of a ring that has none any more, for what never looks into it.
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
                        Rollout.DEFAULT));
    }

    /// The same, with volumes and members that are to be given up.
    public EtcdClusterSpec asking(List<VolumeReset> resets, List<MemberReplacement> replacements) {
        if (resets.isEmpty() && replacements.isEmpty()) {
            return this;
        }
        var handling = declaration.handling();
        var repairs = handling.repairs().asking(resets, replacements);
        return with(
                new Handling(handling.suspend(), handling.adopt(), repairs, handling.maintenance(), handling.drift()));
    }

    /// The same, with what its policies say of what was changed by hand.
    public EtcdClusterSpec leaving(List<DriftHandling> drift) {
        var handling = declaration.handling();
        return with(
                new Handling(handling.suspend(), handling.adopt(), handling.repairs(), handling.maintenance(), drift));
    }

    private EtcdClusterSpec with(Handling handling) {
        return new EtcdClusterSpec(ref, size, server, storage, podTemplate, network, declaration.with(handling));
    }

    /// What runs in a member. `options` are etcd's own settings by their name in the schema
    /// (`quotaBackendBytes`). What a gate of `features` asks of the transport is in `tls` already.
    public record Server(
            EtcdVersion version, Image image, SortedMap<String, Object> options, Tls tls, Features features) {
        public Server {
            options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
        }

        /// In the clear, with every gate at its default.
        public Server(EtcdVersion version, Image image, SortedMap<String, Object> options) {
            this(version, image, options, Tls.NONE, Features.NONE);
        }

        /// A digest is one of `version`; of any other release only the tag is right.
        public String imageOf(EtcdVersion release) {
            return release.equals(version) ? image.reference(release) : image.repository() + ":v" + release;
        }
    }

    /// A digest, where given, pins the image; the tag is then only for people.
    public record Image(String repository, Optional<String> digest, Optional<String> pullPolicy) {
        public String reference(EtcdVersion version) {
            return digest.map(d -> repository + "@" + d).orElseGet(() -> repository + ":v" + version);
        }
    }

    /// `size` is a Kubernetes quantity. No class name means the default class of the Kubernetes cluster.
    public record Storage(String size, Optional<String> storageClassName) {
        /// However each of them is written.
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

    /// Who may reach the ring. An absent selector (a Kubernetes label selector for namespaces) lets
    /// everybody in.
    public record NetworkAccess(Optional<Map<String, Object>> clients, Optional<Map<String, Object>> metrics) {}

    /// Where the spec stands and what it says about its own handling.
    /// `notYet` names fields that were accepted and that no operation carries out so far.
    /// `backupPolicy` is named whether or not there is one; `labels` are the document's, by which
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
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        }

        /// Of a ring that is ours from the beginning.
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

    /// Whether the ring is left alone, whether one that is not ours is to become it, what is mended, how its
    /// stores are maintained, and what of `drift` is left.
    public record Handling(
            Optional<Suspension> suspend,
            Optional<Adoption> adopt,
            Repairs repairs,
            Maintenance maintenance,
            List<DriftHandling> drift) {
        public Handling {
            drift = List.copyOf(drift);
        }

        /// Where no policy says anything of drift.
        public Handling(
                Optional<Suspension> suspend, Optional<Adoption> adopt, Repairs repairs, Maintenance maintenance) {
            this(suspend, adopt, repairs, maintenance, List.of());
        }
    }

    /// How members are restarted one after the other. `via` are versions to pause at on the way to the
    /// one that is wanted. `soak` is how long each restarted member is watched before the next one. A
    /// higher `attempt` has a roll tried again that came to nothing.
    public record Rollout(List<EtcdVersion> via, Duration soak, int attempt) {
        public static final Rollout DEFAULT = new Rollout(List.of(), Duration.ZERO, 0);

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

    /// `blocksBootstrap` is set where a ring made without the field would not be what was asked for (no
    /// TLS, no auth, no data).
    public record NotYet(String pointer, String what, boolean blocksBootstrap) {}
}
