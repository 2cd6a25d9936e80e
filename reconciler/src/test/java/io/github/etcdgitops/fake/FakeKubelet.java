package io.github.etcdgitops.fake;

import io.github.etcdgitops.fake.FakeRing.DataDir;
import io.github.etcdgitops.fake.FakeRing.Pod;
import io.github.etcdgitops.fake.Oracle.Harm;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Runs the containers: mounts the members' file, starts etcd with it, probes it. A process that exits
/// is started again at the next tick.
///
/// What etcd does with its file was tried on 3.3.25 and 3.5.16: data rules over the file; a founder
/// whose disk was wiped is refused as "already bootstrapped" while one of its peers answers, and comes
/// back empty when none does; a voter with a joining file comes back empty.
final class FakeKubelet {
    /// Ticks after which a mounted file is brought up to date by itself.
    private static final int SYNC = 60;

    /// Ticks before a container is started again that has ended again and again.
    private static final int BACK_OFF = 40;

    private final FakeWorld world;

    FakeKubelet(FakeWorld world) {
        this.world = world;
    }

    void tick(FakeRing ring) {
        ring.pods.forEach((ordinal, pod) -> run(ring, ordinal, pod));
        for (var cluster : ring.clusters.values()) {
            elect(ring, cluster);
        }
        ring.pods.forEach((ordinal, pod) -> pod.ready = !ring.unready.contains(ordinal) && ready(pod));
        ring.configsLastTick = ring.configs;
    }

    private void run(FakeRing ring, int ordinal, Pod pod) {
        if (ring.silent.contains(ordinal)) {
            return;
        }
        if (pod.terminating || ring.stopped.contains(ordinal) || FakeViews.homeless(ring, ordinal)) {
            ring.stopProcess(pod);
            return;
        }
        if (ring.homeless.contains(ordinal)) {
            ring.stopProcess(pod);
            pod.ip = null;
            pod.mounted = null;
            pod.trouble = "Unschedulable: no machine has room";
            return;
        }
        if (Optional.ofNullable(ring.claims.get(ordinal)).filter(c -> c.pending).isPresent()) {
            pod.trouble = "Unschedulable: pod has unbound immediate PersistentVolumeClaims";
            return;
        }
        if (pod.mounted == null) {
            pod.mounted = ring.staleMounts ? ring.configsLastTick : ring.configs;
            pod.mountedFiles = ring.files;
            pod.ip = world.nextIp();
        } else if (pod.marked || (world.ticks() - pod.created) % SYNC == 0) {
            pod.mounted = ring.configs;
            pod.mountedFiles = ring.files;
            pod.marked = false;
        }
        if (pod.process != null && !pod.process.running) {
            pod.process = null;
        }
        if (pod.process == null) {
            pod.trouble = ring.unpullable.contains(template(ring, pod).version())
                    ? "ImagePullBackOff: Back-off pulling image"
                    : null;
        }
        if (pod.process == null && pod.trouble == null) {
            start(ring, ordinal, pod);
        }
    }

    private void start(FakeRing ring, int ordinal, Pod pod) {
        var config = template(ring, pod).foreign()
                ? new MemberConfig.Sealed(FakeForeign.DIRECTORY)
                : pod.mounted.get(ordinal);
        var claim = ring.claims.get(ordinal);
        if (config == null || claim == null || claim.lost || world.ticks() < pod.again) {
            return;
        }
        var file = Optional.ofNullable(pod.mountedFiles.get(ordinal));
        var transport = file.map(MemberSettings::transport).orElse(Transport.PLAIN);
        if (transport.secured() && !world.secrets().complete(ring.ref)) {
            pod.restarts++;
            return;
        }
        var data = claim.dirs.get(config.incarnation());
        var member = data != null
                ? data.cluster.members.get(data.member)
                : switch (config) {
                    case MemberConfig.Sealed _, MemberConfig.Unchecked _ -> null;
                    case MemberConfig.Founding founding -> found(ring, ordinal, founding);
                    case MemberConfig.Joining joining -> join(ring, ordinal, joining);
                };
        if (member == null || (data != null && data.spoilt)) {
            pod.restarts++;
            return;
        }
        var version = template(ring, pod).version();
        if (member.cluster.tooNewFor(version, data) || member.cluster.tooOldFor(version, data)) {
            pod.restarts++;
            return;
        }
        if (data != null && config instanceof MemberConfig.Sealed && refuses(template(ring, pod), member, data)) {
            pod.restarts++;
            pod.again = pod.restarts < Failing.RESTARTS ? 0 : world.ticks() + BACK_OFF;
            return;
        }
        if (data == null) {
            if (member.voter() && member.ran && member.cluster.acknowledged > 0) {
                world.oracle().breach(Harm.AMNESIA, ring, ring.ref.podName(ordinal) + " came back under its id, empty");
            }
            data = new DataDir(member.cluster, member.id);
            // It copies what the leader has.
            data.corrupt = member.cluster.leader != null
                    && member.cluster.leader.dir != null
                    && member.cluster.leader.dir.corrupt;
            claim.dirs.put(config.incarnation(), data);
        }
        if (data.behind && member.cluster.leader != null && member.cluster.leader.dir != null) {
            data.corrupt = member.cluster.leader.dir.corrupt;
            data.behind = false;
            data.sent = true;
        }
        if (member.cluster.leader != null && member.cluster.leader.dir != null) {
            data.log = Math.min(data.log, member.cluster.leader.log());
        }
        data.newest = Long.MAX_VALUE;
        member.dir = data;
        member.running = true;
        member.serving = false;
        member.transport = transport;
        member.file = file;
        member.trusts = world.secrets().trusted(ring.ref);
        member.ran = true;
        member.downByUs = false;
        member.upSince = world.ticks();
        member.version = template(ring, pod).version();
        pod.process = member;
    }

    /// InitialCorruptCheck: "found data inconsistency with peers", whoever of them it is that differs (seen on
    /// 3.5.30 once a member has its peers from a snapshot, and on 3.6.14). Silent peers are passed over.
    private static boolean refuses(FakeRing.Template template, FakeMember member, DataDir data) {
        return !template.foreign()
                && template.version().atLeast(3, 4, 0)
                && member.cluster.members.values().stream()
                        .anyMatch(m -> m != member && m.up() && m.dir != null && m.dir.corrupt != data.corrupt);
    }

    private static FakeRing.Template template(FakeRing ring, Pod pod) {
        return ring.templates.get(pod.revision);
    }

    private static FakeMember found(FakeRing ring, int ordinal, MemberConfig.Founding config) {
        String own = config.peers().get(ordinal);
        if (own == null || ring.ordinalOfUrl(own) != ordinal) {
            return null;
        }
        var id = FakeWorld.idOf(config.token() + config.peers());
        var cluster = ring.clusters.get(id);
        if (cluster == null) {
            cluster = found(ring, id, config);
        }
        var member = cluster.members.get(founderId(config, own));
        boolean peerAnswers = cluster.members.values().stream().anyMatch(m -> m != member && m.up());
        return member != null && member.published && peerAnswers ? null : member;
    }

    static FakeCluster found(FakeRing ring, EtcdId id, MemberConfig.Founding config) {
        var cluster = new FakeCluster(ring, id);
        config.peers().forEach((o, url) -> cluster.add(founderId(config, url), url).name = ring.ref.podName(o));
        ring.clusters.put(id, cluster);
        return cluster;
    }

    private static EtcdId founderId(MemberConfig.Founding config, String url) {
        return FakeWorld.idOf(config.token() + url);
    }

    private static FakeMember join(FakeRing ring, int ordinal, MemberConfig.Joining config) {
        String own = config.peers().get(ordinal);
        if (own == null || ring.ordinalOfUrl(own) != ordinal || ring.cutOff.contains(ordinal)) {
            return null;
        }
        for (int peer : config.peers().keySet()) {
            var pod = ring.pods.get(peer);
            if (peer != ordinal && pod != null && pod.process != null && pod.process.up()) {
                var cluster = pod.process.cluster;
                var urls = config.peers().values().stream()
                        .flatMap(all -> Stream.of(all.split(",")))
                        .toList();
                return sameUrls(cluster, urls) ? cluster.byUrl(own).orElse(null) : null;
            }
        }
        return null;
    }

    private static boolean sameUrls(FakeCluster cluster, List<String> urls) {
        var live = new TreeSet<String>();
        cluster.members.values().forEach(m -> live.addAll(m.peerUrls));
        return live.size() == urls.size() && live.containsAll(urls);
    }

    private void elect(FakeRing ring, FakeCluster cluster) {
        boolean led = cluster.leads();
        long lost = cluster.elect();
        if (lost > 0) {
            world.oracle().lost(ring, lost, "a leader without them was elected");
        }
        if (!cluster.leads()) {
            return;
        }
        if (!led && ring.current != cluster) {
            if (ring.current != null && ring.current.acknowledged > 0 && !madeRoom(ring)) {
                world.oracle().lost(ring, ring.current.acknowledged, "another ring was founded");
            }
            ring.current = cluster;
        }
        cluster.raiseVersion();
        for (var member : cluster.members.values()) {
            boolean ran = member.up() && member.upSince < world.ticks() && member.ordinal >= 0;
            if (ran && !cluster.waitsForEntry(member)) {
                member.name = ring.ref.podName(member.ordinal);
                member.published = true;
            }
            member.serving |= member.up();
            member.matched |= member.up() && member.upSince + ring.catchUpTicks <= world.ticks();
        }
    }

    /// Somebody has let another ring begin in place of this one, with what was saved of it.
    private static boolean madeRoom(FakeRing ring) {
        return ring.journal != null
                && !ring.journal.journal().founded()
                && ring.journal.journal().origin().isPresent();
    }

    private boolean ready(Pod pod) {
        var member = pod.process;
        return member != null
                && member.up()
                && member.upSince < world.ticks()
                && member.published
                && member.cluster.leads()
                && member.cluster.alarms.stream().noneMatch(a -> a.kind() == Alarm.Kind.CORRUPT);
    }
}
