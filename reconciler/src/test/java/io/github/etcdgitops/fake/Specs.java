package io.github.etcdgitops.fake;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Server;
import io.github.etcdgitops.spec.ring.Maintenance;
import io.github.etcdgitops.spec.ring.MemberReplacement;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.spec.ring.VolumeReset;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Features;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.validation.Location;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Specs that differ from another one in one thing.
public final class Specs {
    private Specs() {}

    public static EtcdClusterSpec via(EtcdClusterSpec spec, String... versions) {
        var via = Arrays.stream(versions)
                .map(v -> EtcdVersion.parse(v).orElseThrow())
                .toList();
        return rollout(spec, new EtcdClusterSpec.Rollout(via, Duration.ZERO, 0, Releases.KNOWN));
    }

    public static EtcdClusterSpec rollout(EtcdClusterSpec spec, EtcdClusterSpec.Rollout rollout) {
        var d = spec.declaration();
        return with(
                spec,
                new EtcdClusterSpec.Declaration(
                        d.source(), d.environment(), d.handling(), d.notYet(), d.backupPolicy(), d.labels(), rollout));
    }

    private static EtcdClusterSpec with(EtcdClusterSpec spec, EtcdClusterSpec.Declaration declaration) {
        return new EtcdClusterSpec(
                spec.ref(), spec.size(), spec.server(), spec.storage(), spec.podTemplate(), spec.access(), declaration);
    }

    public static EtcdClusterSpec repairing(EtcdClusterSpec spec, Repairs.Mode volumes) {
        return repairing(spec, new Repairs(volumes, Repairs.Mode.MANUAL));
    }

    /// Whose broken members are mended so far by themselves.
    public static EtcdClusterSpec mendingMembers(EtcdClusterSpec spec, Repairs.Mode members) {
        return repairing(spec, new Repairs(Repairs.Mode.MANUAL, members));
    }

    /// Whose lost volumes and broken members are mended in this way.
    public static EtcdClusterSpec healing(EtcdClusterSpec spec, Repairs.Mode mode) {
        return repairing(spec, new Repairs(mode, mode));
    }

    /// Whose volume of this member is to be given up, by the UID of its claim.
    public static EtcdClusterSpec resetting(EtcdClusterSpec spec, int ordinal, String claimUid) {
        var reset = new VolumeReset(
                "reset", spec.ref(), ordinal, claimUid, "read errors", Location.ofFile("clusters/reset.yaml"));
        return repairing(spec, Repairs.DEFAULT.asking(List.of(reset), List.of()));
    }

    /// Whose members of these ordinals and IDs are to be replaced.
    public static EtcdClusterSpec replacing(EtcdClusterSpec spec, Repairs.Mode volumes, Map<Integer, EtcdId> members) {
        return replacing(repairing(spec, volumes), members);
    }

    /// The same, with repairs as they are.
    public static EtcdClusterSpec replacing(EtcdClusterSpec spec, Map<Integer, EtcdId> members) {
        var requests = members.entrySet().stream()
                .map(member -> new MemberReplacement(
                        "replace-" + member.getKey(),
                        spec.ref(),
                        member.getKey(),
                        member.getValue().toString(),
                        "it does not come up",
                        Location.ofFile("clusters/replace.yaml")))
                .toList();
        return repairing(spec, spec.declaration().handling().repairs().asking(List.of(), requests));
    }

    private static EtcdClusterSpec repairing(EtcdClusterSpec spec, Repairs repairs) {
        var d = spec.declaration();
        return new EtcdClusterSpec(
                spec.ref(),
                spec.size(),
                spec.server(),
                spec.storage(),
                spec.podTemplate(),
                spec.access(),
                new EtcdClusterSpec.Declaration(
                        d.source(),
                        d.environment(),
                        new EtcdClusterSpec.Handling(
                                d.suspend(), d.adopt(), repairs, d.handling().maintenance()),
                        d.notYet(),
                        d.backupPolicy(),
                        d.labels(),
                        d.rollout()));
    }

    public static EtcdClusterSpec maintained(EtcdClusterSpec spec, Maintenance maintenance) {
        var d = spec.declaration();
        return new EtcdClusterSpec(
                spec.ref(),
                spec.size(),
                spec.server(),
                spec.storage(),
                spec.podTemplate(),
                spec.access(),
                new EtcdClusterSpec.Declaration(
                        d.source(),
                        d.environment(),
                        new EtcdClusterSpec.Handling(
                                d.suspend(), d.adopt(), d.handling().repairs(), maintenance),
                        d.notYet(),
                        d.backupPolicy(),
                        d.labels(),
                        d.rollout()));
    }

    /// Files are written anew from half of free space on.
    public static EtcdClusterSpec defragmented(EtcdClusterSpec spec) {
        return maintained(
                spec,
                new Maintenance(
                        Optional.of(new Maintenance.Defragment(50, Maintenance.Defragment.DEFAULT_MINIMUM)),
                        List.of(),
                        Repairs.Mode.MANUAL,
                        Maintenance.DEFAULT_KEPT));
    }

    /// Volumes of members that left are deleted after that.
    public static EtcdClusterSpec deletingLeft(EtcdClusterSpec spec, Duration after) {
        return maintained(
                spec,
                new Maintenance(
                        Optional.empty(),
                        List.of(),
                        Repairs.Mode.MANUAL,
                        Maintenance.DEFAULT_KEPT,
                        Optional.of(after)));
    }

    /// Room is made in this way, and so many revisions are kept.
    public static EtcdClusterSpec freeing(EtcdClusterSpec spec, Repairs.Mode space, long kept) {
        return maintained(spec, new Maintenance(Optional.empty(), List.of(), space, kept));
    }

    public static EtcdClusterSpec withOption(EtcdClusterSpec spec, String name, Object value) {
        var options = new TreeMap<>(spec.server().options());
        options.put(name, value);
        var server = spec.server();
        return with(spec, new Server(server.version(), server.image(), options, server.tls(), server.features()));
    }

    public static EtcdClusterSpec withStorage(EtcdClusterSpec spec, String size) {
        return new EtcdClusterSpec(
                spec.ref(),
                spec.size(),
                spec.server(),
                new EtcdClusterSpec.Storage(size, spec.storage().storageClassName()),
                spec.podTemplate(),
                spec.access(),
                spec.declaration());
    }

    public static EtcdClusterSpec inClass(EtcdClusterSpec spec, String storageClass) {
        return new EtcdClusterSpec(
                spec.ref(),
                spec.size(),
                spec.server(),
                new EtcdClusterSpec.Storage(spec.storage().size(), Optional.of(storageClass)),
                spec.podTemplate(),
                spec.access(),
                spec.declaration());
    }

    public static EtcdClusterSpec resources(EtcdClusterSpec spec, Map<String, Object> resources) {
        var template = spec.podTemplate();
        return new EtcdClusterSpec(
                spec.ref(),
                spec.size(),
                spec.server(),
                spec.storage(),
                new EtcdClusterSpec.PodTemplate(
                        template.labels(), template.annotations(), new TreeMap<>(resources), template.pod()),
                spec.access(),
                spec.declaration());
    }

    public static EtcdClusterSpec withImage(EtcdClusterSpec spec) {
        var image = new EtcdClusterSpec.Image("mirror.example/etcd", Optional.empty(), Optional.empty());
        var server = spec.server();
        return with(spec, new Server(server.version(), image, server.options(), server.tls(), server.features()));
    }

    public static EtcdClusterSpec talking(EtcdClusterSpec spec, Transport transport) {
        return secured(spec, new Tls(transport, Tls.Issuer.BUILT_IN, Tls.YEAR));
    }

    /// The CA of this number, and no time in which both are trusted.
    public static EtcdClusterSpec withAuthority(EtcdClusterSpec spec, Transport transport, int number) {
        return secured(
                spec,
                new Tls(
                        transport,
                        Tls.Issuer.BUILT_IN,
                        Optional.empty(),
                        Tls.YEAR,
                        new Tls.Authority(number, Duration.ZERO)));
    }

    public static EtcdClusterSpec secured(EtcdClusterSpec spec, Tls tls) {
        var server = spec.server();
        return with(spec, new Server(server.version(), server.image(), server.options(), tls, server.features()));
    }

    /// With gates that the Fleet has switched on, as a document that says nothing of them is read.
    public static EtcdClusterSpec withFeatures(EtcdClusterSpec spec, FeatureGate... gates) {
        var set = new TreeMap<FeatureGate, Features.Setting>();
        for (var gate : gates) {
            var at = new Location("etcd-gitops.yaml", 12, 7, "/spec/features/" + gate);
            set.put(gate, new Features.Setting(true, at, Features.Level.Sole.FLEET));
        }
        var server = spec.server();
        var features = new Features(set, new TreeSet<>());
        var transport = features.on(FeatureGate.PEER_TLS)
                ? new Transport(Transport.Mode.MUTUAL, server.tls().transport().client())
                : server.tls().transport();
        return with(
                spec,
                new Server(
                        server.version(),
                        server.image(),
                        server.options(),
                        server.tls().with(transport),
                        features));
    }

    /// With labels of its document, by which policies select it.
    public static EtcdClusterSpec labelled(EtcdClusterSpec spec, Map<String, String> labels) {
        var d = spec.declaration();
        return with(
                spec,
                new EtcdClusterSpec.Declaration(
                        d.source(),
                        d.environment(),
                        d.handling(),
                        d.notYet(),
                        d.backupPolicy(),
                        new TreeMap<>(labels),
                        d.rollout()));
    }

    public static EtcdClusterSpec with(EtcdClusterSpec spec, Server server) {
        return new EtcdClusterSpec(
                spec.ref(), spec.size(), server, spec.storage(), spec.podTemplate(), spec.access(), spec.declaration());
    }

    public static EtcdClusterSpec withResources(EtcdClusterSpec spec) {
        var resources = new TreeMap<String, Object>();
        resources.put("requests", new TreeMap<>(Map.of("cpu", "500m")));
        return new EtcdClusterSpec(
                spec.ref(),
                spec.size(),
                spec.server(),
                spec.storage(),
                new EtcdClusterSpec.PodTemplate(new TreeMap<>(), new TreeMap<>(), resources, new TreeMap<>()),
                spec.access(),
                spec.declaration());
    }
}
