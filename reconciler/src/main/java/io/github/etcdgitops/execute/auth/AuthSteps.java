package io.github.etcdgitops.execute.auth;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.gateway.RingPasswords.Password;
import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.auth.AuthStep;
import io.github.etcdgitops.ring.auth.DesiredUsers;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.auth.User.SignIn;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.journal.Journal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/// Changes users and roles, and enables or disables authentication. Every change can be made again: etcd
/// says where it is already so.
public final class AuthSteps implements StepHandler<AuthStep> {
    private final StepContext context;
    private final PasswordSource passwords;
    private final SecretsOfUsers secrets;
    private final RootRotation root;

    public AuthSteps(StepContext context) {
        this.context = context;
        this.passwords = new PasswordSource(context);
        this.secrets = new SecretsOfUsers(context, passwords);
        this.root = new RootRotation(context);
    }

    @Override
    public Optional<String> alreadySo(AuthStep step) {
        return switch (step) {
            case AuthStep.NoteUsers _,
                    AuthStep.MakeRoot _,
                    AuthStep.ChangeUsers _,
                    AuthStep.SetPasswords _,
                    AuthStep.WriteSecrets _,
                    AuthStep.RemoveSecrets _,
                    AuthStep.SwitchOn _,
                    AuthStep.SwitchOff _,
                    AuthStep.ProveSignIns _,
                    AuthStep.ChangeRootPassword _,
                    AuthStep.ChangePassword _ -> Optional.empty();
        };
    }

    @Override
    public StepResult act(AuthStep step) {
        var calls = new LeaderUsers(context, step.deadline());
        return switch (step) {
            case AuthStep.NoteUsers(Journal.Users users) -> note(users, calls);
            case AuthStep.MakeRoot _ -> makeRoot(calls);
            case AuthStep.ChangeUsers(var changes, var ofUsers) -> change(changes, ofUsers, calls);
            case AuthStep.SetPasswords(var users) -> setPasswords(users, calls);
            case AuthStep.WriteSecrets(var users) -> secrets.write(users);
            case AuthStep.RemoveSecrets(var users) -> secrets.remove(users, calls);
            case AuthStep.SwitchOn _ -> switchOn(calls);
            case AuthStep.SwitchOff _ -> switchOff(calls);
            case AuthStep.ProveSignIns(var users) -> proveSignIns(users, calls);
            case AuthStep.ChangeRootPassword _ -> root.change(calls);
            case AuthStep.ChangePassword(String user, SignIn.Password password) ->
                changePassword(user, password, calls);
        };
    }

    private StepResult note(Journal.Users users, LeaderUsers calls) {
        var noted = context.journal().past().data();
        var seen = calls.momentOf(users.applied());
        if (noted.users().equals(Optional.of(users)) && noted.seen().equals(seen)) {
            return new StepResult.AlreadySo("the journal says so");
        }
        var now = context.now();
        context.journal(journal ->
                journal.withUsers(users, DesiredUsers.passwordsAt(journal.past().data(), users, now), seen));
        return new StepResult.Done("noted");
    }

    /// While authentication is enabled, `root` exists, and its password is not changed here.
    private StepResult makeRoot(LeaderUsers calls) {
        if (calls.enabled()) {
            return new StepResult.AlreadySo("authentication is enabled, so the user root exists");
        }
        var password = passwords.ofRoot();
        calls.add(User.ROOT, password);
        calls.make(new AuthChange.GrantRole(User.ROOT, User.ROOT));
        return new StepResult.Done("the user root has the role root");
    }

    private StepResult change(List<AuthChange> changes, SortedMap<String, SignIn.Password> ofUsers, LeaderUsers calls) {
        int made = 0;
        for (var change : changes) {
            var user = change.withPassword();
            if (user.isEmpty()) {
                made += calls.make(change);
                continue;
            }
            var wanted = Objects.requireNonNull(ofUsers.get(user.get()), user.get());
            var password = passwords.of(user.get(), wanted);
            if (password.isEmpty()) {
                return new StepResult.Held(passwords.missing(user.get(), wanted));
            }
            made += change instanceof AuthChange.AddUser
                    ? calls.add(user.get(), password.get())
                    : calls.make(change, password);
        }
        return made == 0
                ? new StepResult.AlreadySo("the ring has them already")
                : new StepResult.Done(Count.of(made, "change") + " made");
    }

    private StepResult setPasswords(SortedMap<String, SignIn.Password> users, LeaderUsers calls) {
        for (var user : users.entrySet()) {
            var password = passwords.of(user.getKey(), user.getValue());
            if (password.isEmpty()) {
                return new StepResult.Held(passwords.missing(user.getKey(), user.getValue()));
            }
            calls.make(new AuthChange.ChangePassword(user.getKey()), password);
        }
        return new StepResult.Done(Count.of(users.size(), "password") + " set");
    }

    /// `root` must be able to sign in afterwards: nobody else can disable authentication again.
    private StepResult switchOn(LeaderUsers calls) {
        if (!calls.enabled()) {
            var roles = calls.read().users().get(User.ROOT);
            if (roles == null || !roles.contains(User.ROOT)) {
                return new StepResult.Held("the user root with the role root does not exist in the ring");
            }
            var refused = context.refused();
            if (refused.isPresent()) {
                return new StepResult.Held(refused.get());
            }
            calls.make(new AuthChange.Enable());
        }
        return calls.read().enabled()
                ? new StepResult.Done("authentication is enabled, and root may read the users")
                : new StepResult.Failed("authentication is not enabled");
    }

    private StepResult switchOff(LeaderUsers calls) {
        if (!calls.enabled()) {
            return new StepResult.AlreadySo("authentication is not enabled");
        }
        calls.make(new AuthChange.Disable());
        return calls.enabled()
                ? new StepResult.Failed("authentication is still enabled")
                : new StepResult.Done("authentication is disabled");
    }

    /// No password is generated here: the ring would refuse it.
    private StepResult proveSignIns(SortedMap<String, SignIn.Password> users, LeaderUsers calls) {
        var refusal = proved(User.ROOT, passwords.rootSecret(), passwords.storedRoot(), calls);
        for (var user : users.entrySet()) {
            refusal = refusal.or(() -> proved(
                    user.getKey(),
                    passwords.secret(user.getKey(), user.getValue()),
                    passwords.stored(user.getKey(), user.getValue()),
                    calls));
        }
        return refusal.<StepResult>map(StepResult.Failed::new)
                .orElseGet(() -> new StepResult.Done(Count.of(users.size() + 1, "user") + " signed in"));
    }

    private Optional<String> proved(String user, String secret, Optional<Password> password, LeaderUsers calls) {
        if (password.isEmpty()) {
            return Optional.of(passwords.missing(user, secret));
        }
        return calls.signsIn(user, password.get())
                ? Optional.empty()
                : Optional.of("the ring does not accept the password of the user " + user + " in the Secret " + secret);
    }

    /// A killed run may have written a password that the ring never got: it is replaced by another one.
    private StepResult changePassword(String user, SignIn.Password wanted, LeaderUsers calls) {
        var next = passwords.next(user, wanted);
        if (next.isEmpty()) {
            return new StepResult.Held(passwords.missing(user, wanted));
        }
        calls.make(new AuthChange.ChangePassword(user), next);
        if (!calls.enabled()) {
            return new StepResult.Done("authentication is not enabled, so nobody signs in yet");
        }
        return calls.signsIn(user, next.get())
                ? new StepResult.Done("the user signs in with it")
                : new StepResult.Failed("the ring refuses the new password of the user " + user);
    }
}
