package io.github.etcdgitops.fake;

import io.github.etcdgitops.fake.FakeRing.DataDir;
import io.github.etcdgitops.fake.FakeRing.Pod;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.journal.Inspection;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.RestartAttempts;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/// What machines and people other than us do to one ring, at once.
public final class Faults {
    private final FakeWorld world;
    private final FakeRing ring;
    private final Map<Integer, Map<String, DataDir>> former = new HashMap<>();

    Faults(FakeWorld world, FakeRing ring) {
        this.world = world;
        this.ring = ring;
    }

    // --- clients

    /// A client writes a key and has it acknowledged, by every member. Returns its revision.
    public long put(String key) {
        return ring.current.keys.put(key);
    }

    public void compact(long revision) {
        ring.current.keys.compact(revision);
    }

    /// Every member's file has so many bytes of data, of history and of free space.
    public void fill(long live, long history, long free) {
        ring.current.members.keySet().forEach(id -> fill(id, live, history, free));
    }

    public void fill(int ordinal, long live, long history, long free) {
        ring.current.byOrdinal(ordinal).ifPresent(m -> fill(m.id, live, history, free));
    }

    private void fill(EtcdId id, long live, long history, long free) {
        var dir = Objects.requireNonNull(ring.current.members.get(id)).dir;
        dir.live = live;
        dir.used = live + history;
        dir.told = live + history;
        dir.file = live + history + free;
    }

    /// Members answer nobody for so long while they write their files anew.
    public void defragmentsSlowly(int ticks) {
        ring.defragmentTicks = ticks;
    }

    /// The member's file stays as large as it is.
    public void cannotDefragment(int ordinal) {
        ring.brokenFiles.add(ordinal);
    }

    // --- machines

    /// The member's data is no longer what the others have, and nothing says so but its hash and its
    /// snapshot.
    public void corrupt(int ordinal) {
        Optional.ofNullable(ring.current.byOrdinal(ordinal).orElseThrow().dir).ifPresent(dir -> dir.corrupt = true);
    }

    /// The same, and etcd finds it out: the ring takes no writes and no pod is ready until somebody takes the
    /// alarm back. It names nobody, or before 3.4 a follower that is well.
    public void diverge(int ordinal) {
        corrupt(ordinal);
        hit(ordinal);
        var wrong = ring.current.voters().stream()
                .filter(m -> m.dir != null && !m.dir.corrupt && !m.version.hasLearners())
                .findFirst();
        ring.current.alarms.add(
                new Alarm(Alarm.Kind.CORRUPT, wrong.map(m -> m.id).orElseGet(() -> new EtcdId(0))));
    }

    /// The others write more than their logs keep while the member is away.
    public void leaveBehind(int ordinal) {
        ring.current.byOrdinal(ordinal).orElseThrow().dir.behind = true;
    }

    /// The others write so much more, while the member is away; `compacted` where they forget what it has.
    public void goOnWithout(int ordinal, boolean compacted) {
        var dir = ring.current.byOrdinal(ordinal).orElseThrow().dir;
        dir.newest = ring.current.keys.revision();
        dir.compacted = ring.current.keys.compacted();
        ring.current.keys.put("later");
        ring.current.keys.put("later still");
        ring.current.keys.compact(compacted ? dir.newest + 1 : dir.newest);
    }

    /// Another election is won by this member.
    public void lead(int ordinal) {
        ring.current.leader = ring.current.byOrdinal(ordinal).orElseThrow();
    }

    /// The volume was looked into when the ring had lost its quorum.
    public void inspectedAsItIs(int ordinal) {
        var dir = ring.current.byOrdinal(ordinal).orElseThrow().dir;
        var pod = ring.pods.get(ordinal);
        var keys = ring.current.keys;
        inspected(
                ordinal,
                new Inspection(
                        ring.claims.get(ordinal).uid,
                        world.instant(),
                        pod.uid + "/" + pod.restarts,
                        new Inspection.Outcome.Told(
                                keys.revision(),
                                Optional.of(
                                        new Inspection.Hash(keys.compacted(), keys.hash(0) ^ (dir.corrupt ? 1 : 0))))));
    }

    /// A leader has sent the member its data once.
    public void sentItsData(int ordinal) {
        ring.current.byOrdinal(ordinal).orElseThrow().dir.sent = true;
    }

    /// The data of all of them is the same again.
    public void mendData(int ordinal) {
        ring.current.byOrdinal(ordinal).orElseThrow().dir.corrupt = false;
    }

    /// Somebody takes all alarms back.
    public void disarmAll() {
        ring.current.alarms.clear();
    }

    /// The member's process ends, and ends again whenever it is started on the data that it has.
    public void spoil(int ordinal) {
        Optional.ofNullable(ring.current.byOrdinal(ordinal).orElseThrow().dir).ifPresent(dir -> dir.spoilt = true);
        killPod(ordinal);
    }

    /// No process comes up on its data any more; none runs on it.
    public void spoilData(int ordinal) {
        ring.current.byOrdinal(ordinal).orElseThrow().dir.spoilt = true;
    }

    /// Three pods were of no help so far, and the time after the last one is over.
    public void triedThrice(int ordinal) {
        var journal = ring.journal.journal();
        var tried = new RestartAttempts.Tried(
                ring.current.byOrdinal(ordinal).orElseThrow().id,
                3,
                world.instant().minus(Duration.ofHours(1)),
                "the-third");
        ring.journal = new KubeState.JournalState(
                journal.withTries(journal.past().tries().with(ordinal, tried)), world.nextVersion());
    }

    /// It comes up on its data the next time.
    public void unspoil(int ordinal) {
        ring.current.byOrdinal(ordinal).orElseThrow().dir.spoilt = false;
    }

    /// The container dies and is started again at the next tick.
    public void killPod(int ordinal) {
        hit(ordinal);
        pod(ordinal).ifPresent(ring::stopProcess);
    }

    /// The pod is deleted past the budget; the StatefulSet makes a new one.
    public void deletePod(int ordinal) {
        hit(ordinal);
        pod(ordinal).ifPresent(pod -> FakeController.end(ring, pod));
    }

    /// The container dies and finds an empty disk when it is back.
    public void loseDisk(int ordinal) {
        killPod(ordinal);
        var claim = ring.claims.get(ordinal);
        if (claim == null) {
            return;
        }
        for (var data : claim.dirs.values()) {
            for (var member : data.cluster.members.values()) {
                if (member.dir == data) {
                    member.dir = null;
                    member.matched = false;
                }
            }
        }
        claim.dirs.clear();
    }

    /// The volume is gone for good, with its PersistentVolume; the claim stays and is Lost.
    public void loseVolume(int ordinal) {
        loseDisk(ordinal);
        Optional.ofNullable(ring.claims.get(ordinal)).ifPresent(claim -> claim.lost = true);
    }

    /// The volume is gone from Kubernetes, and a process that has it open goes on for now.
    public void loseClaim(int ordinal) {
        ring.claims.get(ordinal).lost = true;
    }

    /// It was there all the time.
    public void findVolume(int ordinal) {
        ring.claims.get(ordinal).lost = false;
    }

    /// So many bytes of the volume are taken by what nobody uses.
    public void take(int ordinal, long bytes) {
        ring.claims.get(ordinal).taken = bytes;
    }

    /// Somebody has read what the plan says of a lost claim. The StatefulSet makes a new one with the
    /// next pod.
    public void deleteClaim(int ordinal) {
        ring.claims.remove(ordinal);
    }

    /// A member of this ordinal left at that moment; null where nobody has recorded when.
    public void departed(int ordinal, Instant at) {
        var like = ring.claims.get(0);
        var claim = new FakeRing.Claim(world.nextUid(), new Storage(like.capacity, like.storageClass));
        claim.released = true;
        claim.releasedAt = at;
        ring.claims.put(ordinal, claim);
    }

    /// Somebody mounts the claim in a pod of his own; with an empty name he is done.
    public void mount(int ordinal, String pod) {
        ring.strangers.put(ordinal, pod);
        ring.strangers.values().removeIf(String::isEmpty);
    }

    /// Somebody deletes it: it stays for as long as the pod that has it.
    public void endClaim(int ordinal) {
        ring.claims.get(ordinal).terminating = true;
    }

    /// Somebody has deleted it and its pod: both are made anew, and what was on the volume is in
    /// [#bindAnew]'s hands.
    public void exchangeClaim(int ordinal) {
        former.put(ordinal, new HashMap<>(ring.claims.get(ordinal).dirs));
        loseDisk(ordinal);
        endClaim(ordinal);
        deletePod(ordinal);
    }

    /// The new claim gets the volume of the one that was exchanged.
    public void bindAnew(int ordinal) {
        ring.claims.get(ordinal).dirs.putAll(Objects.requireNonNull(former.get(ordinal)));
    }

    /// Somebody has deleted the claim and made another one of its name, with a copy of what was on it.
    public void copyClaim(int ordinal) {
        var gone = ring.claims.get(ordinal);
        var copy = new FakeRing.Claim(world.nextUid(), new Storage(gone.capacity, gone.storageClass));
        copy.dirs.putAll(gone.dirs);
        ring.claims.put(ordinal, copy);
    }

    /// The machine is gone: whatever is at this ordinal does not run until `recover`.
    public void stop(int ordinal) {
        killPod(ordinal);
        ring.stopped.add(ordinal);
        pod(ordinal).ifPresent(pod -> pod.ready = false);
    }

    /// Its machine goes silent while the container waits to be started.
    public void silenceUnheard(int ordinal) {
        ring.silentSince.put(ordinal, world.instant());
    }

    /// Its machine is gone for certain, and none takes the pod that is made in its place.
    public void unplace(int ordinal) {
        ring.homeless.add(ordinal);
        deletePod(ordinal);
    }

    /// What somebody found on its volume.
    public void inspected(int ordinal, Inspection found) {
        var journal = ring.journal.journal();
        ring.journal = new KubeState.JournalState(
                journal.withTries(journal.past().tries().with(ordinal, found)), world.nextVersion());
    }

    /// The machine stands still, with what runs on it: its pod stays, whoever deletes it.
    public void silence(int ordinal) {
        cutOff(ordinal);
        ring.unready.add(ordinal);
        ring.silent.add(ordinal);
        ring.silentSince.put(ordinal, world.instant());
    }

    /// The machine is no Node any more, and the volume that it alone has is out of reach. Its pod is deleted,
    /// and the next one cannot be placed.
    public void loseMachine(int ordinal) {
        var claim = ring.claims.get(ordinal);
        claim.home = "node-" + ordinal + "-" + claim.uid;
        ring.gone.add(claim.home);
        ring.elsewhere(ordinal);
        deletePod(ordinal);
    }

    /// Runs have missed it for so long.
    public void missedFor(int ordinal, Duration time) {
        var journal = ring.journal.journal();
        var claim = ring.claims.get(ordinal);
        var missed = new RestartAttempts.Missed(
                claim.uid, claim.home, world.instant().minus(time));
        ring.journal = new KubeState.JournalState(
                journal.withTries(journal.past().tries().missing(ordinal, missed)), world.nextVersion());
    }

    /// As a run leaves it that took a member out for another one, and could not get on.
    public void inReplacement(int ordinal) {
        var journal = ring.journal.journal();
        var former = new Intent.Former(
                journal.members().get(ordinal).id().orElseThrow(),
                ring.claims.get(ordinal).uid,
                Intent.Why.MEMBER_ASKED);
        removeMemberByHand(ordinal);
        var replacement = new Intent.Replacement(new TreeMap<>(Map.of(ordinal, former)));
        ring.journal = new KubeState.JournalState(
                journal.withIntent(Optional.of(Intent.of(Intent.Kind.REPLACE, "4711", 1, replacement))),
                world.nextVersion());
    }

    /// It is a Node again, with the disk that it had.
    public void machineBack(int ordinal) {
        ring.gone.removeIf(home -> home.startsWith("node-" + ordinal + "-"));
    }

    /// Nobody may read Nodes.
    public void hideMachines(boolean hidden) {
        ring.machinesUnreadable = hidden;
    }

    public void recover(int ordinal) {
        ring.stopped.remove(ordinal);
        ring.homeless.remove(ordinal);
        ring.elsewhere(ordinal);
        ring.severed.remove(ordinal);
        ring.hidden.remove(ordinal);
    }

    /// Neither its peers nor we reach the member; its process goes on. Calls to it last until their
    /// deadline.
    public void cutOff(int ordinal) {
        hit(ordinal);
        ring.cutOff.add(ordinal);
    }

    /// Its peers do not reach the member, and we do.
    public void sever(int ordinal) {
        cutOff(ordinal);
        ring.severed.add(ordinal);
    }

    /// Only we do not reach the member.
    public void hideFromUs(int ordinal) {
        ring.hidden.add(ordinal);
    }

    /// Neither we nor the kubelet reach it, and its peers do.
    public void hideFromKubelet(int ordinal) {
        ring.unready.add(ordinal);
        hideFromUs(ordinal);
    }

    /// The member has run another version than its siblings since it started.
    void runs(int ordinal, EtcdVersion version) {
        pod(ordinal).ifPresent(pod -> pod.process.version = version);
    }

    public void unreadable(Part... parts) {
        ring.unreadable.addAll(List.of(parts));
    }

    public void readable() {
        ring.unreadable.clear();
    }

    public void alarm(Alarm.Kind kind, int ordinal) {
        ring.current.byOrdinal(ordinal).ifPresent(m -> ring.current.alarms.add(new Alarm(kind, m.id)));
    }

    /// The alarm names no member.
    public void alarmOfNobody(Alarm.Kind kind) {
        ring.current.alarms.add(new Alarm(kind, new EtcdId(0)));
    }

    /// A message to the former address of a peer failed after that peer was back: from then on the member
    /// takes it for lost, although both streams are there (seen on 3.5.16 and 3.5.30).
    public void takesPeerForLost(int ordinal) {
        ring.mistaken.add(ordinal);
    }

    /// Members note nothing of calling each other.
    public void notesNoProbes() {
        ring.noProbes = true;
    }

    /// The member answers, and is never done with a hash.
    /// etcd does not know the keys in the members' files, and says nothing.
    public void ignoresSettings() {
        ring.ignoresSettings = true;
    }

    public void hashless(int ordinal) {
        ring.hashless.add(ordinal);
    }

    /// The registry has no image of this release, until it is told to.
    public void unpullable(String version, boolean missing) {
        var release = EtcdVersion.parse(version).orElseThrow();
        if (missing) {
            ring.unpullable.add(release);
        } else {
            ring.unpullable.remove(release);
        }
    }

    /// The namespace's quota lets the ring have so many pods.
    public void podQuota(int pods) {
        ring.podQuota = pods;
    }

    /// With `etcdctl downgrade enable`.
    public void announceDowngrade(EtcdVersion target) {
        ring.current.downgrade.announce(target);
    }

    /// Clients write so often.
    public void write(int entries) {
        new FakeSpace(world).writeNothing(ring.current.leader, entries);
    }

    /// Clients write nothing any more. The log before is long.
    public void idle() {
        ring.current.idle = true;
    }

    /// No member answers whether clients have.
    public void v2KeysUntold() {
        ring.current.oldRecords.told = false;
    }

    /// Clients write through the v2 API, and remove what they wrote.
    public void v2Writes(long count) {
        ring.current.oldRecords.writes = count;
    }

    /// Clients have used the v2 API, or have removed what they had there.
    public void v2Keys(boolean there) {
        ring.current.oldRecords.keys = there;
    }

    /// As somebody does it with etcdctl, and root's password.
    public void change(AuthChange change, Optional<String> password) {
        users().apply(change, password, ring.current.leader.version);
    }

    /// How often clients have read the users of the ring.
    public int usersRead() {
        return users().reads();
    }

    FakeUsers users() {
        return ring.current.users;
    }

    /// With `etcdctl downgrade cancel`.
    public void cancelDowngrade() {
        ring.current.downgrade.cancel();
    }

    public void lag(int ordinal, long entries) {
        ring.lag.put(ordinal, entries);
    }

    /// The member has not applied the newest revisions, for so many ticks.
    public void behind(int ordinal, long revisions, long ticks) {
        ring.behind.put(ordinal, new FakeRing.Behind(revisions, world.ticks() + ticks));
    }

    /// A drain asks for an eviction. False when the budget refuses it.
    public boolean evict(int ordinal) {
        var pod = ring.pods.get(ordinal);
        if (pod == null || !allowed(pod)) {
            return false;
        }
        world.oracle().evicted(ring, ordinal, () -> {
            if (pod.ready) {
                ring.disruptionsAllowed--;
            }
            ring.sight.unseenEvictions.add(ordinal);
            FakeController.end(ring, pod);
        });
        return true;
    }

    private boolean allowed(Pod pod) {
        if (ring.minAvailable().isEmpty()) {
            return true;
        }
        long ready = ring.pods.values().stream().filter(p -> p.ready).count();
        return ring.budgetSettled
                && (pod.ready
                        ? ring.disruptionsAllowed > 0
                        : ready >= ring.minAvailable().get());
    }

    // --- people

    public void scaleByHand(int replicas) {
        ring.statefulSet.replicas = replicas;
        touched();
    }

    public void partitionByHand(int partition) {
        ring.statefulSet.partition = partition;
        touched();
    }

    /// A new template, as `kubectl edit` makes one.
    public void templateByHand(EtcdVersion version) {
        var set = ring.statefulSet;
        set.updateRevision = "by-hand-" + world.nextVersion();
        ring.templates.put(set.updateRevision, new FakeRing.Template("by-hand", version));
        touched();
    }

    /// The StatefulSet's controller writes its status, as it does at any time: whoever read it before
    /// must read again.
    public void statusWritten() {
        if (ring.statefulSet != null) {
            ring.statefulSet.resourceVersion = world.nextVersion();
        }
    }

    private void touched() {
        ring.statefulSet.replicasByUs = false;
        ring.statefulSet.settled = false;
        ring.statefulSet.resourceVersion = world.nextVersion();
    }

    public void budgetByHand(int minAvailable) {
        change(ManagedObject.BUDGET, Map.of("minAvailable", minAvailable));
        ring.budgetByHand = true;
        ring.budgetSettled = false;
    }

    public void delete(ManagedObject object) {
        ring.objects.remove(object);
    }

    /// Makes an object that its operation has not come to yet.
    public void restore(ManagedObject object) {
        ring.objects.put(object, new FakeRing.Thing(true, 0, Map.of("ring", ring.ref.toString())));
    }

    /// Changes some fields of an object.
    public void change(ManagedObject object, Map<String, Object> fields) {
        var content = new HashMap<>(ring.objects.get(object).content());
        content.putAll(fields);
        ring.objects.put(object, new FakeRing.Thing(true, 0, Map.copyOf(content)));
    }

    /// Another program has the object under this ring's name.
    public void takeOver(ManagedObject object) {
        ring.objects.put(object, new FakeRing.Thing(false, 0, Map.of("minAvailable", 0)));
    }

    /// As `kubectl delete` does it: its pods go with it, unless they are let go of.
    public void deleteStatefulSet(boolean orphan) {
        ring.deleted = ring.statefulSet;
        ring.statefulSet = null;
        ring.pods.forEach((ordinal, pod) -> {
            pod.controller = null;
            if (!orphan) {
                hit(ordinal);
                FakeController.end(ring, pod);
            }
        });
    }

    /// Whoever wants another beginning deletes all that is left of the first.
    public void deleteRing() {
        List.copyOf(ring.claims.keySet()).forEach(this::deleteClaim);
        deleteStatefulSet(false);
        ring.current = null;
        ring.journal = null;
        ring.configs = Collections.emptySortedMap();
        ring.files = Collections.emptySortedMap();
    }

    /// Whoever deleted it brings it back from a manifest that was kept.
    public void statefulSetAgain() {
        ring.statefulSet = ring.deleted;
        ring.statefulSet.uid = world.nextUid();
        touched();
    }

    public void takeOverStatefulSet() {
        ring.statefulSet.ours = false;
        ring.statefulSet.labels = Map.of();
    }

    /// Somebody has made all of it without us.
    public void foreignize() {
        FakeForeign.make(ring);
    }

    /// Whoever runs what they have made mends it, member by member, with volumes of their own.
    public void repairForeign() {
        if (ring.statefulSet != null && !ring.statefulSet.ours) {
            FakeForeign.repaired(world, ring);
        }
    }

    /// Somebody changes the template of what they have made; the controller rolls it.
    public void changeForeign(String revision) {
        ring.templates.put(revision, ring.templates.get(ring.statefulSet.updateRevision));
        ring.statefulSet.updateRevision = revision;
    }

    /// Another one of the same name, which takes the pods that nobody owns.
    public void foreignSetAgain() {
        FakeForeign.again(world, ring);
    }

    public void takeOverClaim(int ordinal) {
        ring.claims.get(ordinal).ours = false;
    }

    public void suspend(String why) {
        ring.statefulSet.suspended = why;
        ring.statefulSet.resourceVersion = world.nextVersion();
    }

    public void deleteJournal() {
        ring.journal = null;
    }

    /// Somebody else's write to the journal, of the same content.
    public void touchJournal() {
        ring.journal = new KubeState.JournalState(ring.journal.journal(), world.nextVersion());
    }

    public void removeMemberByHand(int ordinal) {
        var cluster = ring.current;
        cluster.byOrdinal(ordinal).ifPresent(m -> cluster.remove(m.id, cluster.leader, world.ticks()));
        hit(ordinal);
    }

    /// Removed and added again, by two calls of etcdctl: the same peer URL under another ID, with the
    /// data it had.
    public void replaceMemberByHand(int ordinal) {
        var cluster = ring.current;
        removeMemberByHand(ordinal);
        var member = cluster.add(world.nextId(), ring.peerUrl(ordinal));
        runs(member, ring.ref.podName(ordinal));
    }

    /// A voter that no pod of the ring belongs to, and that runs.
    public void addForeignMember(String peerUrl) {
        var cluster = ring.current;
        runs(cluster.add(world.nextId(), peerUrl), "stranger");
    }

    private void runs(FakeMember member, String name) {
        var cluster = ring.current;
        member.name = name;
        member.version = cluster.leader.version;
        member.dir = new FakeRing.DataDir(cluster, member.id);
        member.dir.log = cluster.leader.log();
        member.running = true;
        member.published = true;
    }

    /// The kubelet mounts what the ConfigMap was a tick ago.
    public void staleMounts() {
        ring.staleMounts = true;
    }

    /// How long a learner takes to catch up.
    public void catchUpAfter(int ticks) {
        ring.catchUpTicks = ticks;
    }

    private void hit(int ordinal) {
        ring.sight.unseenFaults.add(ordinal);
    }

    private Optional<Pod> pod(int ordinal) {
        return Optional.ofNullable(ring.pods.get(ordinal));
    }
}
