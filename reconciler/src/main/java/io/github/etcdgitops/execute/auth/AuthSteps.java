package io.github.etcdgitops.execute.auth;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.auth.AuthStep;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.auth.User.SignIn;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.journal.Journal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/// Changes users and roles, and enables or disables authentication. Every change can be made again: etcd
/// says where it is already so.
public final class AuthSteps implements StepHandler<AuthStep> {
    private final StepContext context;
    private final LeaderUsers calls;
    private final PasswordSource passwords;

    public AuthSteps(StepContext context) {
        this.context = context;
        this.calls = new LeaderUsers(context);
        this.passwords = new PasswordSource(context);
    }

    @Override
    public Optional<String> alreadySo(AuthStep step) {
        return switch (step) {
            case AuthStep.NoteUsers(Journal.Users users) ->
                context.journalState()
                        .flatMap(j -> j.journal().past().auth())
                        .filter(users::equals)
                        .map(_ -> "the journal says so");
            case AuthStep.MakeRoot _,
                    AuthStep.ChangeUsers _,
                    AuthStep.SwitchOn _,
                    AuthStep.SwitchOff _,
                    AuthStep.ProveSignIns _,
                    AuthStep.ChangePassword _ -> Optional.empty();
        };
    }

    @Override
    public StepResult act(AuthStep step) {
        return switch (step) {
            case AuthStep.NoteUsers(Journal.Users users) -> note(users);
            case AuthStep.MakeRoot _ -> makeRoot(step.deadline());
            case AuthStep.ChangeUsers(var changes, var ofUsers) -> change(changes, ofUsers, step.deadline());
            case AuthStep.SwitchOn _ -> switchOn(step.deadline());
            case AuthStep.SwitchOff _ -> switchOff(step.deadline());
            case AuthStep.ProveSignIns(var users) -> proveSignIns(users, step.deadline());
            case AuthStep.ChangePassword(String user, SignIn.Password password) ->
                changePassword(user, password, step.deadline());
        };
    }

    private StepResult note(Journal.Users users) {
        context.journal(journal -> journal.withUsers(users));
        return new StepResult.Done("noted");
    }

    /// While authentication is enabled, `root` exists, and its password is not changed here.
    private StepResult makeRoot(Duration deadline) {
        if (calls.enabled(deadline)) {
            return new StepResult.AlreadySo("authentication is enabled, so the user root exists");
        }
        var password = passwords.ofRoot();
        calls.add(User.ROOT, password, deadline);
        calls.make(new AuthChange.GrantRole(User.ROOT, User.ROOT), deadline);
        return new StepResult.Done("the user root has the role root");
    }

    private StepResult change(List<AuthChange> changes, SortedMap<String, SignIn.Password> ofUsers, Duration deadline) {
        int made = 0;
        for (var change : changes) {
            var user = change.withPassword();
            if (user.isEmpty()) {
                made += calls.make(change, deadline);
                continue;
            }
            var wanted = Objects.requireNonNull(ofUsers.get(user.get()), user.get());
            var password = passwords.of(user.get(), wanted);
            if (password.isEmpty()) {
                return new StepResult.Held(passwords.missing(user.get(), wanted));
            }
            made += change instanceof AuthChange.AddUser
                    ? calls.add(user.get(), password.get(), deadline)
                    : calls.make(change, password, deadline);
        }
        return made == 0
                ? new StepResult.AlreadySo("the ring has them already")
                : new StepResult.Done(Count.of(made, "change") + " made");
    }

    /// `root` must be able to sign in afterwards: nobody else can disable authentication again.
    private StepResult switchOn(Duration deadline) {
        if (!calls.enabled(deadline)) {
            var roles = calls.read(deadline).users().get(User.ROOT);
            if (roles == null || !roles.contains(User.ROOT)) {
                return new StepResult.Held("the user root with the role root does not exist in the ring");
            }
            var refused = context.refused();
            if (refused.isPresent()) {
                return new StepResult.Held(refused.get());
            }
            calls.make(new AuthChange.Enable(), deadline);
        }
        return calls.read(deadline).enabled()
                ? new StepResult.Done("authentication is enabled, and root may read the users")
                : new StepResult.Failed("authentication is not enabled");
    }

    private StepResult switchOff(Duration deadline) {
        if (!calls.enabled(deadline)) {
            return new StepResult.AlreadySo("authentication is not enabled");
        }
        calls.make(new AuthChange.Disable(), deadline);
        return calls.enabled(deadline)
                ? new StepResult.Failed("authentication is still enabled")
                : new StepResult.Done("authentication is disabled");
    }

    private StepResult proveSignIns(SortedMap<String, SignIn.Password> users, Duration deadline) {
        if (!calls.signsIn(User.ROOT, passwords.ofRoot(), deadline)) {
            return new StepResult.Failed(
                    "the ring refuses the password of root in the Secret " + passwords.rootSecret());
        }
        for (var user : users.entrySet()) {
            var password = passwords.of(user.getKey(), user.getValue());
            if (password.isPresent() && !calls.signsIn(user.getKey(), password.get(), deadline)) {
                return new StepResult.Failed("the ring refuses the password of the user " + user.getKey()
                        + ", which is the one in the Secret " + passwords.secret(user.getKey(), user.getValue()));
            }
        }
        return new StepResult.Done(Count.of(users.size() + 1, "user") + " signed in");
    }

    /// A killed run may have written a password that the ring never got: it is replaced by another one.
    private StepResult changePassword(String user, SignIn.Password wanted, Duration deadline) {
        var next = passwords.next(user, wanted);
        if (next.isEmpty()) {
            return new StepResult.Held(passwords.missing(user, wanted));
        }
        calls.make(new AuthChange.ChangePassword(user), next, deadline);
        return calls.signsIn(user, next.get(), deadline)
                ? new StepResult.Done("the user signs in with it")
                : new StepResult.Failed("the ring refuses the new password of the user " + user);
    }
}
