package io.github.etcdgitops.fake;

import io.github.etcdgitops.execute.lease.Timepiece;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingUsers;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/// One Kubernetes cluster with its etcd rings, in memory. Nothing in it happens by itself: a `tick` is
/// a second, and the code under test lets time pass by waiting. Deterministic: the same calls give the
/// same world. For one thread.
///
/// Every gateway call is numbered. Faults can be put before or after the n-th one, a crash of the run
/// among them.
public final class FakeWorld implements Timepiece {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final SortedMap<ClusterRef, FakeRing> rings = new TreeMap<>();
    private final FakeController controller = new FakeController(this);
    private final FakeKubelet kubelet = new FakeKubelet(this);
    private final Oracle oracle = new Oracle(this);
    private final FakeJobs jobs = new FakeJobs(this);
    private final FakeSecrets secrets = new FakeSecrets(this);
    private final FakePasswords passwords = new FakePasswords(this);
    private final FakeVolumes volumes = new FakeVolumes(this);
    private final FakeQuotas quotas = new FakeQuotas(this);
    private final Map<Integer, Runnable> before = new HashMap<>();
    private final Map<Integer, Runnable> after = new HashMap<>();
    private final List<String> acts = new ArrayList<>();
    private final Map<String, String> suspendedNamespaces = new HashMap<>();
    private final Set<String> otherPods = new HashSet<>();
    private long ticks;
    private long serial;
    private int calls;
    private int ticksPerCall;
    private boolean apiDown;

    // --- what the code under test is given

    public KubernetesGateway kubernetes() {
        return new FakeKubernetes(this);
    }

    public EtcdGateway etcd() {
        return etcd(Caller.ROOT);
    }

    /// Where authentication is enabled, it does for `caller` what etcd does.
    public EtcdGateway etcd(Caller caller) {
        return new FakeEtcd(this, caller);
    }

    public RingUsers users() {
        return users(Caller.ROOT);
    }

    public RingUsers users(Caller caller) {
        return new FakeEtcd(this, caller);
    }

    public MemberAccess access() {
        return new FakeAccess(this);
    }

    public FakeJobs jobs() {
        return jobs;
    }

    public FakeSecrets secrets() {
        return secrets;
    }

    public FakePasswords passwords() {
        return passwords;
    }

    public FakeQuotas quotas() {
        return quotas;
    }

    public FakeVolumes volumes() {
        return volumes;
    }

    @Override
    public Instant instant() {
        return START.plusSeconds(ticks);
    }

    @Override
    public long nanos() {
        return Duration.ofSeconds(ticks).toNanos();
    }

    /// How the code under test waits.
    public void sleep(Duration time) {
        tick((int) Math.max(1, time.plusMillis(999).toSeconds()));
    }

    // --- time

    public void tick() {
        ticks++;
        for (var ring : rings.values()) {
            controller.tick(ring);
            volumes.tick(ring);
            kubelet.tick(ring);
            controller.report(ring);
            if (ring.current != null) {
                ring.current.catchUp();
            }
            oracle.separation(ring);
            oracle.write(ring);
        }
    }

    public void tick(int times) {
        for (int i = 0; i < times; i++) {
            tick();
        }
    }

    public long ticks() {
        return ticks;
    }

    // --- what happened

    public Oracle oracle() {
        return oracle;
    }

    /// Acknowledged writes that no voter's disk has any more, or that a newer leader does not have.
    public long lostWrites() {
        return oracle.lostWrites();
    }

    /// The changes that were asked for so far, in order, for the message of a failing test.
    public List<String> acts() {
        return List.copyOf(acts);
    }

    /// Gateway calls so far, reads among them.
    public int calls() {
        return calls;
    }

    public RingProbe look(ClusterRef ref) {
        return new RingProbe(ring(ref));
    }

    // --- what goes wrong

    public Faults faults(ClusterRef ref) {
        return new Faults(this, ring(ref));
    }

    public void apiDown() {
        apiDown = true;
    }

    public void apiUp() {
        apiDown = false;
    }

    /// Lets the world go on by itself while the code under test works, not only while it waits.
    public void ticksPerCall(int ticksOfOneCall) {
        ticksPerCall = ticksOfOneCall;
    }

    /// Does something before the call of this number, counted as `calls` counts; before its effect,
    /// that is.
    public void beforeCall(int number, Runnable fault) {
        before.put(number, fault);
    }

    public void afterCall(int number, Runnable fault) {
        after.put(number, fault);
    }

    public void crashBeforeCall(int number) {
        beforeCall(number, () -> {
            throw new Crash("before call " + number);
        });
    }

    /// The call has its effect, and nobody is left to hear the answer.
    public void crashAfterCall(int number) {
        afterCall(number, () -> {
            throw new Crash("after call " + number);
        });
    }

    /// The call has its effect, and the answer gets lost.
    public void loseAnswerOfCall(int number) {
        afterCall(number, () -> {
            throw new GatewayException(GatewayException.Kind.TIMEOUT, true, "no answer in time");
        });
    }

    public void suspendNamespace(String namespace, String why) {
        suspendedNamespaces.put(namespace, why);
    }

    /// A pod that belongs to no ring, such as a run's own.
    public void addPod(String namespace, String name, String uid) {
        otherPods.add(namespace + "/" + name + "/" + uid);
    }

    public void removePod(String namespace, String name, String uid) {
        otherPods.remove(namespace + "/" + name + "/" + uid);
    }

    // --- for the parts of the world

    Collection<FakeRing> rings() {
        return rings.values();
    }

    FakeRing ring(ClusterRef ref) {
        return rings.computeIfAbsent(ref, FakeRing::new);
    }

    Map<String, String> suspendedNamespaces() {
        return suspendedNamespaces;
    }

    boolean hasOtherPod(String namespace, String name, String uid) {
        return otherPods.contains(namespace + "/" + name + "/" + uid);
    }

    boolean isApiDown() {
        return apiDown;
    }

    /// Every gateway call goes through here; clients write before and after it.
    <T> T call(FakeRing ring, Supplier<T> effect) {
        int number = ++calls;
        before.getOrDefault(number, () -> {}).run();
        tick(ticksPerCall);
        oracle.write(ring);
        T result = effect.get();
        oracle.write(ring);
        after.getOrDefault(number, () -> {}).run();
        return result;
    }

    /// A call that changes something.
    <T> T change(FakeRing ring, String what, Supplier<T> effect) {
        return call(ring, () -> {
            acts.add(what);
            return oracle.ours(ring, what, effect);
        });
    }

    String nextVersion() {
        return String.valueOf(++serial);
    }

    String nextUid() {
        return "uid-" + ++serial;
    }

    String nextIp() {
        serial++;
        return "10." + serial / 65_536 % 256 + "." + serial / 256 % 256 + "." + serial % 256;
    }

    EtcdId nextId() {
        return idOf("member " + ++serial);
    }

    /// A 64-bit id that follows from a text, as etcd's do.
    static EtcdId idOf(String text) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
        return new EtcdId((hash ^ (hash >>> 32)) | 1);
    }
}
