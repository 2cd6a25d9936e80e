package io.github.etcdgitops.step;

/// The wire names of steps, in plans, run reports, log lines and metrics. A class may be renamed, its wire name
/// stays. A test lists them all.
public final class StepName {
    private StepName() {}

    public static String of(Step step) {
        return switch (step) {
            case Step.OpenJournal _ -> "OpenJournal";
            case Step.WriteFoundingConfigs _ -> "WriteFoundingConfigs";
            case Step.CreateStatefulSet _ -> "CreateStatefulSet";
            case Step.AwaitRing _ -> "AwaitRing";
            case Step.RecordRing _ -> "RecordRing";
            case Step.ApplyObjects _ -> "ApplyObjects";
            case Step.SetBudget _ -> "SetBudget";
            case Step.BlockEvictions _ -> "BlockEvictions";
            case Step.SetReplicas _ -> "SetReplicas";
            case Step.Begin _ -> "Begin";
            case Step.AddLearner _ -> "AddLearner";
            case Step.AddVoter _ -> "AddVoter";
            case Step.WriteJoinConfig _ -> "WriteJoinConfig";
            case Step.AwaitStarted _ -> "AwaitStarted";
            case Step.SealMember _ -> "SealMember";
            case Step.Promote _ -> "Promote";
            case Step.AdmitClients _ -> "AdmitClients";
            case Step.AwaitGreen _ -> "AwaitGreen";
            case Step.YieldLeadership _ -> "YieldLeadership";
            case Step.RemoveMember _ -> "RemoveMember";
            case Step.AwaitPodGone _ -> "AwaitPodGone";
            case Step.ReleaseMember _ -> "ReleaseMember";
            case Step.Finish _ -> "Finish";
            case Step.OfBackup of -> ofBackup(of);
            case Step.OfRestore of -> ofRestore(of);
            case Step.OfRoll of -> ofRoll(of);
            case Step.OfTls of -> ofTls(of);
            case Step.OfGrowth of -> ofGrowth(of);
            case Step.OfAdoption of -> ofAdoption(of);
            case Step.OfReplacement of -> ofReplacement(of);
            case Step.OfMaintenance of -> ofMaintenance(of);
            case Step.OfDeletion of -> ofDeletion(of);
        };
    }

    private static String ofBackup(Step.OfBackup step) {
        return switch (step) {
            case Step.SaveSnapshot _ -> "SaveSnapshot";
            case Step.CertifyBackup _ -> "CertifyBackup";
            case Step.DeleteBackups _ -> "DeleteBackups";
            case Step.TryRestore _ -> "TryRestore";
        };
    }

    private static String ofRestore(Step.OfRestore step) {
        return switch (step) {
            case Step.VerifySource _ -> "VerifySource";
            case Step.OpenRestore _ -> "OpenRestore";
            case Step.CreateClaim _ -> "CreateClaim";
            case Step.LoadSnapshot _ -> "LoadSnapshot";
            case Step.EndRestoreJob _ -> "EndRestoreJob";
            case Step.CompareData _ -> "CompareData";
            case Step.RecordRestored _ -> "RecordRestored";
        };
    }

    private static String ofRoll(Step.OfRoll step) {
        return switch (step) {
            case RollStep.BeginRoll _ -> "BeginRoll";
            case RollStep.LeadFrom _ -> "LeadFrom";
            case RollStep.WriteTemplate _ -> "WriteTemplate";
            case RollStep.WriteMemberFile _ -> "WriteMemberFile";
            case RollStep.RestartMember _ -> "RestartMember";
            case RollStep.AwaitRolled _ -> "AwaitRolled";
            case RollStep.CompareMember _ -> "CompareMember";
            case RollStep.Soak _ -> "Soak";
            case RollStep.AwaitClusterVersion _ -> "AwaitClusterVersion";
            case RollStep.PinPartition _ -> "PinPartition";
            case RollStep.FinishRoll _ -> "FinishRoll";
            case RollStep.BeginUnroll _ -> "BeginUnroll";
            case RollStep.ReinstateTemplate _ -> "ReinstateTemplate";
            case RollStep.ReplacePod _ -> "ReplacePod";
            case RollStep.FinishUnroll _ -> "FinishUnroll";
        };
    }

    private static String ofTls(Step.OfTls step) {
        return switch (step) {
            case TlsStep.IssueCertificates _ -> "IssueCertificates";
            case TlsStep.AdvertisePeers _ -> "AdvertisePeers";
            case TlsStep.ProveTransport _ -> "ProveTransport";
            case TlsStep.AwaitCertificates _ -> "AwaitCertificates";
            case TlsStep.PrepareAuthority _ -> "PrepareAuthority";
            case TlsStep.ProveTrust _ -> "ProveTrust";
            case TlsStep.ReplaceAuthority _ -> "ReplaceAuthority";
            case TlsStep.AwaitAuthority _ -> "AwaitAuthority";
        };
    }

    private static String ofGrowth(Step.OfGrowth step) {
        return switch (step) {
            case GrowStep.ExpandClaim _ -> "ExpandClaim";
            case GrowStep.RestartForVolume _ -> "RestartForVolume";
            case GrowStep.BeginRecreation _ -> "BeginRecreation";
            case GrowStep.OrphanPods _ -> "OrphanPods";
            case GrowStep.RecreateStatefulSet _ -> "RecreateStatefulSet";
            case GrowStep.FinishRecreation _ -> "FinishRecreation";
        };
    }

    private static String ofAdoption(Step.OfAdoption step) {
        return switch (step) {
            case AdoptStep.OpenAdoption _ -> "OpenAdoption";
            case AdoptStep.AddPeerUrl _ -> "AddPeerUrl";
            case AdoptStep.OrphanPods _ -> "OrphanPods";
            case AdoptStep.TakePods _ -> "TakePods";
            case AdoptStep.RecreateStatefulSet _ -> "RecreateStatefulSet";
            case AdoptStep.RenewStatefulSet _ -> "RenewStatefulSet";
            case AdoptStep.TakeService _ -> "TakeService";
            case AdoptStep.CloseAdoption _ -> "CloseAdoption";
        };
    }

    private static String ofReplacement(Step.OfReplacement step) {
        return switch (step) {
            case ReplaceStep.NoteTry _ -> "NoteTry";
            case ReplaceStep.FreePod _ -> "FreePod";
            case ReplaceStep.LeaveOutCheck _ -> "LeaveOutCheck";
            case ReplaceStep.NoteMachine _ -> "NoteMachine";
            case ReplaceStep.BeginReplacement _ -> "BeginReplacement";
            case ReplaceStep.LeadElsewhere _ -> "LeadElsewhere";
            case ReplaceStep.RemoveFormer _ -> "RemoveFormer";
            case ReplaceStep.DisarmCorrupt _ -> "DisarmCorrupt";
            case ReplaceStep.LowerPartition _ -> "LowerPartition";
            case ReplaceStep.FreeVolume _ -> "FreeVolume";
            case ReplaceStep.ReleasePod _ -> "ReleasePod";
            case ReplaceStep.AddNewcomer _ -> "AddNewcomer";
            case ReplaceStep.RenewPod _ -> "RenewPod";
            case ReplaceStep.PromoteNewcomer _ -> "PromoteNewcomer";
            case ReplaceStep.AwaitNewcomer _ -> "AwaitNewcomer";
            case ReplaceStep.FinishReplacement _ -> "FinishReplacement";
        };
    }

    private static String ofMaintenance(Step.OfMaintenance step) {
        return switch (step) {
            case MaintainStep.Defragment _ -> "Defragment";
            case MaintainStep.CompactHistory _ -> "CompactHistory";
            case MaintainStep.HandOver _ -> "HandOver";
            case MaintainStep.MakeRoom _ -> "MakeRoom";
            case MaintainStep.DisarmSpace _ -> "DisarmSpace";
            case MaintainStep.ProveWrites _ -> "ProveWrites";
        };
    }

    private static String ofDeletion(Step.OfDeletion step) {
        return switch (step) {
            case DeleteStep.BeginDeletion _ -> "BeginDeletion";
            case DeleteStep.CutClients _ -> "CutClients";
            case DeleteStep.CompareMembers _ -> "CompareMembers";
            case DeleteStep.StopMembers _ -> "StopMembers";
            case DeleteStep.AwaitStopped _ -> "AwaitStopped";
            case DeleteStep.KeepVolumes _ -> "KeepVolumes";
            case DeleteStep.RemoveStatefulSet _ -> "RemoveStatefulSet";
            case DeleteStep.RemoveObjects _ -> "RemoveObjects";
            case DeleteStep.FinishDeletion _ -> "FinishDeletion";
            case SnapshotStep.AwaitQuiet _ -> "AwaitQuiet";
            case SnapshotStep.ProveSnapshot _ -> "ProveSnapshot";
            case SnapshotStep.ConfirmSnapshot _ -> "ConfirmSnapshot";
            case PurgeStep.BeginPurge _ -> "BeginPurge";
            case PurgeStep.DeleteClaims _ -> "DeleteClaims";
            case PurgeStep.AwaitClaimsGone _ -> "AwaitClaimsGone";
            case PurgeStep.FinishPurge _ -> "FinishPurge";
            case ReturnStep returning -> ofReturn(returning);
            case RefoundStep.EndFounding _ -> "EndFounding";
            case RefoundStep.ReopenJournal _ -> "ReopenJournal";
            case RecoverStep recovery -> ofRecovery(recovery);
            case InspectStep _ -> "InspectStep";
            case LookStep _ -> "LookStep";
        };
    }

    private static String ofReturn(ReturnStep step) {
        return switch (step) {
            case ReturnStep.BeginReturn _ -> "BeginReturn";
            case ReturnStep.SealMembers _ -> "SealMembers";
            case ReturnStep.StartMembers _ -> "StartMembers";
            case ReturnStep.AwaitReturned _ -> "AwaitReturned";
            case ReturnStep.CompareRemains _ -> "CompareRemains";
            case ReturnStep.TakeVolumes _ -> "TakeVolumes";
            case ReturnStep.FinishReturn _ -> "FinishReturn";
        };
    }

    private static String ofRecovery(RecoverStep step) {
        return switch (step) {
            case RecoverStep.ProveRoom _ -> "ProveRoom";
            case RecoverStep.BeginExchange _ -> "BeginExchange";
            case RecoverStep.EndFormers _ -> "EndFormers";
            case RecoverStep.AwaitEnded _ -> "AwaitEnded";
            case RecoverStep.LeadClientsAway _ -> "LeadClientsAway";
            case RecoverStep.RemoveFormerSet _ -> "RemoveFormerSet";
            case RecoverStep.UnseatFormers _ -> "UnseatFormers";
            case RecoverStep.FreeLostClaims _ -> "FreeLostClaims";
            case RecoverStep.OpenExchanged _ -> "OpenExchanged";
            case RecoverStep.CallOff _ -> "CallOff";
        };
    }
}
