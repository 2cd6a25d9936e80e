package io.github.etcdgitops.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.arch.Production;
import io.github.etcdgitops.ring.adoption.AdoptStep;
import io.github.etcdgitops.ring.adoption.AdoptionOrder;
import io.github.etcdgitops.ring.auth.AuthStep;
import io.github.etcdgitops.ring.backup.BackupStep;
import io.github.etcdgitops.ring.deletion.DeleteStep;
import io.github.etcdgitops.ring.deletion.PurgeStep;
import io.github.etcdgitops.ring.deletion.ReturnStep;
import io.github.etcdgitops.ring.deletion.SnapshotStep;
import io.github.etcdgitops.ring.founding.FoundStep;
import io.github.etcdgitops.ring.founding.RefoundStep;
import io.github.etcdgitops.ring.maintenance.MaintainStep;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.ring.repair.GivenUpClaim;
import io.github.etcdgitops.ring.repair.InspectStep;
import io.github.etcdgitops.ring.repair.NodeStep;
import io.github.etcdgitops.ring.repair.ReplaceStep;
import io.github.etcdgitops.ring.repair.RestartStep;
import io.github.etcdgitops.ring.repair.WitnessInspectionStep;
import io.github.etcdgitops.ring.restore.RecoverStep;
import io.github.etcdgitops.ring.restore.RestoreStep;
import io.github.etcdgitops.ring.roll.DowngradeStep;
import io.github.etcdgitops.ring.roll.RollStep;
import io.github.etcdgitops.ring.roll.UnrollStep;
import io.github.etcdgitops.ring.roll.v2.FindOldKeys;
import io.github.etcdgitops.ring.roll.v2.PassOldRecords;
import io.github.etcdgitops.ring.storage.GrowStep;
import io.github.etcdgitops.ring.storage.LeftStep;
import io.github.etcdgitops.ring.tls.TlsStep;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StepTest {
    private static final BackupOrder ORDER = new BackupOrder(
            "prod",
            "nightly",
            new Destination.Directory("/backups", ""),
            new BackupPolicy.Encoding(false, Optional.empty(), Optional.empty()),
            "");

    private static final RestoreOrder RESTORE = new RestoreOrder(
            "orders-again",
            new RestoreOrder.Stored.Bare(new Destination.Directory("/backups", ""), "orders.db", 20_512),
            Optional.empty());

    private static final Journal.Users NOBODY = new Journal.Users(AuthState.NONE, new TreeMap<>(), Optional.empty());
    private static final Transport MIXED = new Transport(Transport.Mode.MIXED, Transport.Mode.MIXED);
    private static final MemberSettings TARGET = new MemberSettings(new EtcdVersion(3, 5, 30), new TreeMap<>());

    private static final AdoptionOrder ADOPTION = new AdoptionOrder(
            "uid-1",
            "datadir",
            new EtcdId(31),
            new TreeMap<>(Map.of(0, new Journal.Member(".", Optional.of(new EtcdId(7)), Optional.of("uid-2")))),
            TARGET);

    private static final RingModel THREE = ring(Set.of(0, 1, 2), Set.of(), 3);

    private static RingModel ring(Set<Integer> voters, Set<Integer> learners, int replicas) {
        return new RingModel(new TreeSet<>(voters), new TreeSet<>(learners), replicas, replicas, 2);
    }

    static Stream<Step> everyStep() {
        return Stream.of(
                new FoundStep.OpenJournal(3, new EtcdVersion(3, 5, 16), "0123456789abcdef"),
                new FoundStep.WriteFoundingConfigs(3),
                new FoundStep.CreateStatefulSet(3),
                new FoundStep.AwaitRing(3),
                new FoundStep.RecordRing(3),
                new ObjectStep.ApplyObjects(new TreeSet<>(Set.of(ManagedObject.BUDGET))),
                new ObjectStep.SetBudget(2),
                new ObjectStep.BlockEvictions(4),
                new ObjectStep.SetReplicas(4),
                new MemberStep.Begin(Intent.Kind.JOIN, 3, "0123456789abcdef"),
                new MemberStep.AddLearner(3),
                new MemberStep.AddVoter(3),
                new MemberStep.WriteJoinConfig(3),
                new MemberStep.AwaitStarted(3),
                new MemberStep.SealMember(3),
                new MemberStep.Promote(3),
                new MemberStep.AdmitClients(3),
                new MemberStep.AwaitGreen(),
                new MemberStep.YieldLeadership(2),
                new MemberStep.RemoveMember(2, Set.of()),
                new MemberStep.AwaitPodGone(3),
                new MemberStep.ReleaseMember(3, false),
                new MemberStep.Finish(Intent.Kind.JOIN),
                new BackupStep.SaveSnapshot(ORDER),
                new BackupStep.CertifyBackup(ORDER, "0123456789abcdef"),
                new BackupStep.DeleteBackups(ORDER, List.of(), List.of()),
                new BackupStep.TryRestore(
                        ORDER,
                        new BackupKey("prod", new ClusterRef("shop", "orders"), new EtcdId(31), "20260101T000000Z"),
                        "drills",
                        "0123456789abcdef"),
                new RestoreStep.VerifySource(RESTORE),
                new RestoreStep.OpenRestore(RESTORE, new EtcdVersion(3, 5, 16), "0123456789abcdef"),
                new RestoreStep.CreateClaim(),
                new RestoreStep.LoadSnapshot(RESTORE, "0123456789abcdef"),
                new RestoreStep.EndRestoreJob(),
                new RestoreStep.CompareData(RESTORE),
                new RestoreStep.RecordRestored(),
                new ReplaceStep.BeginReplacement(
                        new TreeMap<>(Map.of(2, new GivenUpClaim("uid-7", Intent.Why.LOST))), "0123456789abcdef"),
                new ReplaceStep.LeadElsewhere(2),
                new ReplaceStep.RemoveFormer(2),
                new ReplaceStep.DisarmCorrupt(),
                new RestartStep.NoteTry(2, "uid-5", 1),
                new RestartStep.FreePod(2, "uid-5"),
                new RestartStep.LeaveOutCheck(2, new TreeSet<>()),
                new WitnessInspectionStep(2, "u", "op"),
                new NodeStep.NoteMachine(2, "uid-7", "node-7", true),
                new NodeStep.ReleasePod(2, "uid-5"),
                new ReplaceStep.LowerPartition(2),
                new ReplaceStep.FreeVolume(2),
                new ReplaceStep.AddNewcomer(2, true),
                new ReplaceStep.RenewPod(2),
                new ReplaceStep.PromoteNewcomer(2),
                new ReplaceStep.AwaitNewcomer(2),
                new DeleteStep.BeginDeletion("the team has moved", "0123456789abcdef", RetainedRing.Volumes.KEPT),
                new SnapshotStep.AwaitQuiet(),
                new SnapshotStep.ProveSnapshot(ORDER, "0123456789abcdef"),
                new SnapshotStep.ConfirmSnapshot(ORDER),
                new DeleteStep.CutClients(),
                new DeleteStep.CompareMembers(),
                new DeleteStep.StopMembers(),
                new DeleteStep.AwaitStopped(3),
                new DeleteStep.KeepVolumes(),
                new DeleteStep.RemoveStatefulSet(),
                new DeleteStep.RemoveObjects(),
                new DeleteStep.FinishDeletion(),
                new PurgeStep.BeginPurge("nobody has missed it", "0123456789abcdef", new TreeMap<>(Map.of(0, "uid"))),
                new PurgeStep.DeleteClaims(new TreeMap<>(Map.of(0, "uid-7"))),
                new PurgeStep.AwaitClaimsGone(new TreeMap<>(Map.of(0, "uid-7"))),
                new PurgeStep.FinishPurge(),
                new RecoverStep.ProveRoom(RESTORE, "0123456789abcdef"),
                new RecoverStep.BeginExchange(RESTORE, new EtcdId(31), "0123456789abcdef"),
                new RecoverStep.EndFormers(RESTORE),
                new RecoverStep.AwaitEnded(3),
                new RecoverStep.LeadClientsAway(),
                new RecoverStep.RemoveFormerSet(),
                new RecoverStep.UnseatFormers(),
                new RecoverStep.FreeLostClaims(new TreeMap<>(Map.of(1, "uid-7"))),
                new RefoundStep.EndFounding(new TreeMap<>(Map.of(0, "uid-0"))),
                new RefoundStep.ReopenJournal(3, new EtcdVersion(3, 5, 16), "0123456789abcdef"),
                new RecoverStep.OpenExchanged(RESTORE, new EtcdVersion(3, 5, 16), "0123456789abcdef"),
                new RecoverStep.CallOff(),
                new InspectStep(1, "uid-7", Optional.empty(), "0123456789abcdef"),
                new ReturnStep.BeginReturn("0123456789abcdef"),
                new ReturnStep.SealMembers(),
                new ReturnStep.StartMembers(3),
                new ReturnStep.AwaitReturned(3),
                new ReturnStep.CompareRemains(),
                new ReturnStep.TakeVolumes(),
                new ReturnStep.FinishReturn(),
                new LeftStep.DateDepartures(2, new TreeMap<>(Map.of(2, "uid-7"))),
                new LeftStep.DeleteLeftClaims(2, new TreeMap<>(Map.of(2, "uid-7"))),
                new MaintainStep.Defragment(2, 50, 1 << 20),
                new MaintainStep.CompactHistory(10_000),
                new MaintainStep.HandOver(2),
                new MaintainStep.MakeRoom(2),
                new MaintainStep.DisarmSpace(),
                new MaintainStep.ProveWrites(),
                new RollStep.BeginRoll(TARGET, "0123456789abcdef"),
                new RollStep.LeadFrom(0, true),
                new RollStep.WriteTemplate(TARGET),
                new RollStep.WriteMemberFile(2, TARGET),
                new RollStep.RestartMember(2),
                new RollStep.AwaitRolled(2, TARGET.version()),
                new RollStep.CompareMember(2),
                new RollStep.Soak(java.time.Duration.ofSeconds(30)),
                new RollStep.AwaitClusterVersion(TARGET.version()),
                new RollStep.OpenPartition(1),
                new RollStep.PinPartition(3),
                new RollStep.FinishRoll(TARGET),
                new PassOldRecords(100_000),
                new FindOldKeys("0123456789abcdef"),
                new DowngradeStep.AnnounceDowngrade(new EtcdVersion(3, 5, 0)),
                new DowngradeStep.AwaitPrepared(new EtcdVersion(3, 5, 0)),
                new DowngradeStep.AwaitDowngradeEnded(new EtcdVersion(3, 5, 0)),
                new DowngradeStep.CancelDowngrade(),
                new UnrollStep.BeginUnroll(Optional.of("its image cannot be pulled")),
                new UnrollStep.ReinstateTemplate(3),
                new UnrollStep.ReplacePod(2),
                new UnrollStep.FinishUnroll(3),
                new AdoptStep.OpenAdoption(ADOPTION, "0123456789abcdef"),
                new AdoptStep.AddPeerUrl(2),
                new AdoptStep.OrphanPods(ADOPTION),
                new AdoptStep.TakePods(ADOPTION),
                new AdoptStep.RecreateStatefulSet(3),
                new AdoptStep.RenewStatefulSet(3),
                new AdoptStep.TakeService(),
                new AdoptStep.CloseAdoption(),
                new AuthStep.NoteUsers(NOBODY),
                new AuthStep.MakeRoot(),
                new AuthStep.ChangeUsers(List.of(new AuthChange.AddRole("reader")), new TreeMap<>()),
                new AuthStep.SetPasswords(new TreeMap<>()),
                new AuthStep.WriteSecrets(new TreeSet<>(Set.of("app"))),
                new AuthStep.RemoveSecrets(new TreeSet<>(Set.of("app"))),
                new AuthStep.SwitchOn(),
                new AuthStep.SwitchOff(),
                new AuthStep.ProveSignIns(new TreeMap<>()),
                new AuthStep.ChangeRootPassword(2),
                new AuthStep.ChangePassword("app", new User.SignIn.Password(Optional.empty(), 2)),
                new TlsStep.IssueCertificates(Tls.NONE.with(MIXED), Authorities.FIRST),
                new TlsStep.PrepareAuthority(2),
                new TlsStep.ProveTrust(2, MIXED),
                new TlsStep.ReplaceAuthority(2),
                new TlsStep.AwaitAuthority(2, MIXED),
                new GrowStep.ExpandClaim(2, "data-orders-2", "2Gi", false),
                new GrowStep.RestartForVolume(2, "2Gi"),
                new GrowStep.BeginRecreation(new Storage("2Gi", Optional.empty()), "0123456789abcdef"),
                new GrowStep.OrphanPods(),
                new GrowStep.RecreateStatefulSet(3),
                new GrowStep.FinishRecreation(),
                new TlsStep.AdvertisePeers(2, MIXED),
                new TlsStep.ProveTransport(2, MIXED),
                new TlsStep.AwaitCertificates(2, MIXED));
    }

    static List<RingModel> rings() {
        return List.of(
                RingModel.EMPTY,
                ring(Set.of(0), Set.of(), 1),
                THREE,
                ring(Set.of(0, 1, 2), Set.of(3), 4),
                ring(Set.of(0, 1, 2, 3), Set.of(), 4));
    }

    @Test
    void dependencyListIsComplete() {
        assertThat(everyStep().map(Object::getClass))
                .containsExactlyInAnyOrderElementsOf(
                        Production.records(Step.class).toList());
    }

    @ParameterizedTest
    @MethodSource("everyStep")
    void applyingAStepTwiceIsApplyingItOnce(Step step) {
        for (var ring : rings()) {
            var once = step.apply(ring);

            assertThat(step.apply(once)).isEqualTo(once);
        }
    }

    @ParameterizedTest
    @MethodSource("everyStep")
    void everyStepHasDeadlineAndText(Step step) {
        var ref = new ClusterRef("demo", "orders");

        assertThat(step.deadline()).isPositive();
        assertThat(step.text(ref)).isNotBlank().doesNotEndWith(".");
        assertThat(step.undo(ref)).isNotBlank();
    }

    /// A replacement mends a ring that is not green, and a recovery ends one: they have gates of their own.
    /// A founding that begins anew has no voters yet.
    @ParameterizedTest
    @MethodSource("everyStep")
    void changeOfVotersNeedsHealthyRing(Step step) {
        boolean changes = rings().stream()
                .filter(r -> !r.equals(RingModel.EMPTY))
                .anyMatch(r -> !step.apply(r).voters().equals(r.voters()));

        boolean waits = step instanceof FoundStep.AwaitRing || step instanceof ReturnStep.AwaitReturned;
        boolean ownGate = step instanceof ReplaceStep || step instanceof RecoverStep || step instanceof RefoundStep;
        if (changes && !waits && !ownGate) {
            assertThat(step.gate()).isEqualTo(Step.Gate.GREEN);
        }
    }

    @Test
    void namesFinishByKindOfIntent() {
        assertThat(new MemberStep.Finish(Intent.Kind.JOIN).name()).isEqualTo("Finish");
        assertThat(new MemberStep.Finish(Intent.Kind.REPLACE).name()).isEqualTo("FinishReplacement");
    }

    @Test
    void addedLearnerLeavesQuorumUnchanged() {
        assertThat(new MemberStep.AddLearner(3).during(THREE)).isEqualTo(new Quorum(3, 3));
    }

    @Test
    void countsNewVoterBeforeItRuns() {
        assertThat(new MemberStep.AddVoter(3).during(THREE)).isEqualTo(new Quorum(4, 3));
        assertThat(new MemberStep.AddVoter(1)
                        .during(ring(Set.of(0), Set.of(), 1))
                        .holds())
                .isFalse();
        assertThat(new MemberStep.AddVoter(2).during(THREE)).isEqualTo(new Quorum(3, 3));
    }

    @Test
    void promotionMakesLearnerVoter() {
        var after = new MemberStep.Promote(3).apply(ring(Set.of(0, 1, 2), Set.of(3), 4));

        assertThat(after.voters()).containsExactly(0, 1, 2, 3);
        assertThat(after.learners()).isEmpty();
    }

    @Test
    void countsRestartedVoterAsDown() {
        for (Step step : List.of(
                new RollStep.RestartMember(2),
                new RollStep.AwaitRolled(2, TARGET.version()),
                new UnrollStep.ReplacePod(2))) {
            assertThat(step.during(THREE)).isEqualTo(new Quorum(3, 2));
        }
        assertThat(new RollStep.RestartMember(0)
                        .during(ring(Set.of(0), Set.of(), 1))
                        .holds())
                .isFalse();
    }

    @Test
    void defragmentationTakesMemberAwayAndLastsLongerForLargeFiles() {
        for (MaintainStep step : List.of(new MaintainStep.Defragment(2, 50, 1), new MaintainStep.MakeRoom(2))) {
            assertThat(step.during(THREE)).isEqualTo(new Quorum(3, 2));
            assertThat(step.forSize(8L << 30)).isGreaterThan(step.forSize(1L << 30));
            assertThat(step.forSize(1L << 50)).isEqualTo(step.deadline());
        }
        assertThat(new MaintainStep.HandOver(2).during(THREE)).isEqualTo(new Quorum(3, 3));
    }

    @Test
    void recreatedStatefulSetCostsNoVoter() {
        var step = new GrowStep.OrphanPods();

        assertThat(step.during(THREE)).isEqualTo(new Quorum(3, 3));
        assertThat(new GrowStep.RecreateStatefulSet(3).apply(step.apply(THREE))).isEqualTo(THREE);
        assertThat(new GrowStep.RestartForVolume(2, "2Gi").during(THREE)).isEqualTo(new Quorum(3, 2));
    }

    @Test
    void upgradeFrom36OnIsUndoneByDowngrade() {
        var ref = new ClusterRef("demo", "orders");

        assertThat(new RollStep.AwaitClusterVersion(new EtcdVersion(3, 6, 14)).undo(ref))
                .isEqualTo("by a downgrade");
        assertThat(new RollStep.AwaitClusterVersion(new EtcdVersion(3, 5, 30)).undo(ref))
                .isEqualTo("no: etcd cannot go back to 3.4");
        assertThat(new DowngradeStep.AwaitDowngradeEnded(new EtcdVersion(3, 5, 0)).undo(ref))
                .contains("by an upgrade", "A further downgrade is refused");
        assertThat(new DowngradeStep.AwaitDowngradeEnded(new EtcdVersion(3, 6, 0)).undo(ref))
                .doesNotContain("refused");
    }

    @Test
    void countsQuorumOfSmallerRingDuringRemoval() {
        assertThat(new MemberStep.RemoveMember(2, Set.of()).during(THREE)).isEqualTo(new Quorum(2, 2));
    }
}
