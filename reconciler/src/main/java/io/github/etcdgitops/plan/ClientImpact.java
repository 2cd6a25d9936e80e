package io.github.etcdgitops.plan;

import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.auth.AuthStep;
import io.github.etcdgitops.ring.deletion.DeleteStep;
import io.github.etcdgitops.ring.maintenance.MaintainStep;
import io.github.etcdgitops.ring.repair.RestartStep;
import io.github.etcdgitops.ring.restore.RecoverStep;
import io.github.etcdgitops.ring.roll.RollStep;
import io.github.etcdgitops.ring.roll.Rolling;
import io.github.etcdgitops.ring.roll.UnrollStep;
import io.github.etcdgitops.ring.storage.GrowStep;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// What an operation means for the clients of a ring: connections that close, writes that wait, a ring that
/// does not serve.
final class ClientImpact {
    private ClientImpact() {}

    /// `before` is the ring's quorum at the start, `worst` the least during the operation.
    static String of(Operation operation, List<PlannedStep> steps, Quorum before, Quorum worst) {
        int stop = first(steps, ClientImpact::endsService);
        if (stop > 0) {
            return "from step " + stop + " on, the ring serves no clients";
        }
        var noticed = new ArrayList<String>();
        if (operation instanceof Rolling rolling) {
            noticed.addAll(
                    ofConfiguration(rolling.roll().former(), rolling.roll().target()));
        }
        noticed.addAll(ofUsers(steps));
        long restarts = count(steps, ClientImpact::restarts);
        if (restarts > 0) {
            noticed.add(restarts + (restarts == 1 ? " member restarts" : " members restart one after the other")
                    + ", and " + (restarts == 1 ? "its clients reconnect" : "the clients of each reconnect"));
        }
        long defragmented = count(steps, step -> step instanceof MaintainStep.Defragment);
        if (defragmented > 0) {
            noticed.add(defragmented + (defragmented == 1 ? " member answers" : " members, one after the other, answer")
                    + " no requests during defragmentation");
        }
        long elections =
                steps.stream().filter(s -> !s.texts().elections().isEmpty()).count();
        if (elections > 0 && before.voters() > 0) {
            noticed.add("the leader changes up to " + Count.of(elections, "time")
                    + ", and writes wait during each election");
        }
        if (before.voters() > 0 && !worst.holds()) {
            noticed.add("no writes while a member is down, because the ring then has no quorum");
        }
        return noticed.isEmpty() ? "nothing" : String.join("; ", noticed);
    }

    private static List<String> ofConfiguration(MemberSettings former, MemberSettings target) {
        var noticed = new ArrayList<String>();
        if (former.transport().cutsOffPlainClients(target.transport())) {
            noticed.add("clients without a certificate lose access");
        }
        if (!former.tokenKey().equals(target.tokenKey())) {
            noticed.add("until all have restarted, a member refuses tokens that others gave: clients with a password"
                    + " sign in again");
        }
        return noticed;
    }

    /// etcd refuses what was sent before a change of users and arrives after it, without having done anything.
    private static List<String> ofUsers(List<PlannedStep> steps) {
        var noticed = new ArrayList<String>();
        if (first(steps, step -> step instanceof AuthStep.SwitchOn) > 0) {
            noticed.add("clients that are no users lose access, and their leases end");
        } else if (first(steps, ClientImpact::changesUsers) > 0) {
            noticed.add("requests on their way can be refused once, and are not carried out then");
        }
        if (first(steps, step -> step instanceof AuthStep.ChangePassword) > 0) {
            noticed.add("the former passwords are refused");
        }
        return noticed;
    }

    private static boolean changesUsers(Step step) {
        return step instanceof AuthStep.ChangeUsers
                || step instanceof AuthStep.ChangePassword
                || step instanceof AuthStep.ChangeRootPassword;
    }

    private static boolean endsService(Step step) {
        return step instanceof DeleteStep.CutClients
                || step instanceof DeleteStep.StopMembers
                || step instanceof RecoverStep.LeadClientsAway
                || step instanceof RecoverStep.EndFormers;
    }

    private static boolean restarts(Step step) {
        return step instanceof RollStep.RestartMember
                || step instanceof UnrollStep.ReplacePod
                || step instanceof GrowStep.RestartForVolume
                || step instanceof RestartStep.FreePod;
    }

    private static int first(List<PlannedStep> steps, Predicate<Step> which) {
        for (int i = 0; i < steps.size(); i++) {
            if (which.test(steps.get(i).step())) {
                return i + 1;
            }
        }
        return 0;
    }

    private static long count(List<PlannedStep> steps, Predicate<Step> which) {
        return steps.stream().map(PlannedStep::step).filter(which).count();
    }
}
