package io.github.etcdgitops.operation;

/// The wire names of operations. Approvals, journals, policies, metrics and reports go by them: a class may be
/// renamed, its wire name stays. A test lists them all.
public final class OperationKind {
    public static final String TAKE_BACKUP = "TakeBackup";
    public static final String DRILL_BACKUP = "DrillBackup";

    private OperationKind() {}

    static String of(Operation operation) {
        return switch (operation) {
            case BootstrapCluster _ -> "BootstrapCluster";
            case AdoptCluster _ -> "AdoptCluster";
            case SettleAdoption _ -> "SettleAdoption";
            case RestoreCluster _ -> "RestoreCluster";
            case RepairObjects _ -> "RepairObjects";
            case ScaleOut _ -> "ScaleOut";
            case ScaleIn _ -> "ScaleIn";
            case RollMembers _ -> "RollMembers";
            case UpgradeVersion _ -> "UpgradeVersion";
            case MigrateTls _ -> "MigrateTls";
            case RotateAuthority _ -> "RotateAuthority";
            case ResetVolume _ -> "ResetVolume";
            case ReplaceMember _ -> "ReplaceMember";
            case RestartMember _ -> "RestartMember";
            case StartUnchecked _ -> "StartUnchecked";
            case NoteMachine _ -> "NoteMachine";
            case ReleasePod _ -> "ReleasePod";
            case DeleteCluster _ -> "DeleteCluster";
            case DeleteAfterSnapshot _ -> "DeleteAfterSnapshot";
            case DeleteVolumes _ -> "DeleteVolumes";
            case ReturnCluster _ -> "ReturnCluster";
            case RecoverQuorum _ -> "RecoverQuorum";
            case InspectVolume _ -> "InspectVolume";
            case RestoreInPlace _ -> "RestoreInPlace";
            case FreeSpace _ -> "FreeSpace";
            case MaintainMember _ -> "MaintainMember";
            case RotateCertificates _ -> "RotateCertificates";
            case GrowStorage _ -> "GrowStorage";
            case BackOutRoll _ -> "BackOutRoll";
            case TakeBackup _ -> TAKE_BACKUP;
            case PruneBackups _ -> "PruneBackups";
            case DrillBackup _ -> DRILL_BACKUP;
        };
    }
}
