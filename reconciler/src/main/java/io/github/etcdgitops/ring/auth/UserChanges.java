package io.github.etcdgitops.ring.auth;

import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.auth.User.SignIn;
import io.github.etcdgitops.state.auth.AuthChange;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.journal.Journal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The changes that lead from a ring's users and roles to those of the documents: first what `gives` access,
/// then what `takes` it, so that no client loses access that it is to keep. The user and the role `root` are
/// never among them.
///
/// `strangers` are users and roles that neither the documents nor our journal know. They stay, unless the
/// documents are exclusive.
public record UserChanges(List<AuthChange> gives, List<AuthChange> takes, Strangers strangers) {
    public UserChanges {
        gives = List.copyOf(gives);
        takes = List.copyOf(takes);
    }

    public record Strangers(SortedSet<String> users, SortedSet<String> roles) {
        public Strangers {
            users = Collections.unmodifiableSortedSet(new TreeSet<>(users));
            roles = Collections.unmodifiableSortedSet(new TreeSet<>(roles));
        }

        public boolean none() {
            return users.isEmpty() && roles.isEmpty();
        }
    }

    public boolean none() {
        return gives.isEmpty() && takes.isEmpty();
    }

    /// The users whose password is set.
    SortedSet<String> withPasswords() {
        return Stream.concat(gives.stream(), takes.stream())
                .flatMap(change -> change.withPassword().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// What gives access is a step of its own, before what takes it.
    List<Step> steps(SortedMap<String, SignIn.Password> passwords) {
        return Stream.of(gives, takes)
                .filter(changes -> !changes.isEmpty())
                .<Step>map(changes -> new AuthStep.ChangeUsers(changes, passwords))
                .toList();
    }

    /// The users and roles that are changed. A role that a user gets or loses is a part of the user.
    RequestedBy.Accounts requestedBy() {
        var users = new TreeSet<String>();
        var roles = new TreeSet<String>();
        Stream.concat(gives.stream(), takes.stream()).forEach(change -> {
            switch (change) {
                case AuthChange.AddRole(String role) -> roles.add(role);
                case AuthChange.DeleteRole(String role) -> roles.add(role);
                case AuthChange.GrantKeys(String role, Grant _) -> roles.add(role);
                case AuthChange.RevokeKeys(String role, KeyRange _) -> roles.add(role);
                case AuthChange.AddUser(String user) -> users.add(user);
                case AuthChange.AddUserWithoutPassword(String user) -> users.add(user);
                case AuthChange.DeleteUser(String user) -> users.add(user);
                case AuthChange.ChangePassword(String user) -> users.add(user);
                case AuthChange.GrantRole(String user, String _) -> users.add(user);
                case AuthChange.RevokeRole(String user, String _) -> users.add(user);
                case AuthChange.Enable _, AuthChange.Disable _ -> {
                    // No user and no role.
                }
            }
        });
        return new RequestedBy.Accounts(users, roles);
    }

    /// `known` is what we made before, by the journal.
    public static UserChanges of(AuthState have, Auth wanted, Optional<Journal.Users> known) {
        return new Comparing(have, wanted, known).changes();
    }

    private record Comparing(AuthState have, Auth wanted, Optional<Journal.Users> known) {
        private static final SortedSet<Grant> NO_GRANTS = Collections.emptySortedSet();
        private static final SortedSet<String> NO_ROLES = Collections.emptySortedSet();

        UserChanges changes() {
            var gives = new ArrayList<AuthChange>();
            var takes = new ArrayList<AuthChange>();
            wanted.roles().forEach((role, grants) -> role(role, grants, gives, takes));
            wanted.users().forEach((name, user) -> user(user, gives, takes));
            var goneUsers = gone(have.users(), wanted.users(), ours(AuthState::users));
            var goneRoles = gone(have.roles(), wanted.roles(), ours(AuthState::roles));
            goneUsers.forEach(user -> takes.add(new AuthChange.DeleteUser(user)));
            goneRoles.forEach(role -> takes.add(new AuthChange.DeleteRole(role)));
            return new UserChanges(gives, takes, strangers(goneUsers, goneRoles));
        }

        /// A role can have several accesses on one range. Another one does not always replace the former, so
        /// where a former one allows more, all of that range are revoked first.
        private void role(String role, SortedSet<Grant> grants, List<AuthChange> gives, List<AuthChange> takes) {
            if (!have.roles().containsKey(role)) {
                gives.add(new AuthChange.AddRole(role));
            }
            var has = have.roles().getOrDefault(role, NO_GRANTS);
            for (var grant : grants) {
                boolean more = has.stream()
                        .anyMatch(h ->
                                h.keys().equals(grant.keys()) && !grant.access().covers(h.access()));
                if (more) {
                    takes.add(new AuthChange.RevokeKeys(role, grant.keys()));
                    takes.add(new AuthChange.GrantKeys(role, grant));
                } else if (!has.contains(grant)) {
                    gives.add(new AuthChange.GrantKeys(role, grant));
                }
            }
            has.stream()
                    .map(Grant::keys)
                    .distinct()
                    .filter(keys -> grants.stream().noneMatch(g -> g.keys().equals(keys)))
                    .forEach(keys -> takes.add(new AuthChange.RevokeKeys(role, keys)));
        }

        /// etcd cannot turn a user with a password into one without, nor back: it is made anew.
        private void user(User user, List<AuthChange> gives, List<AuthChange> takes) {
            boolean there = have.users().containsKey(user.name());
            boolean anew = there && signsInOtherwise(user);
            var list = anew ? takes : gives;
            if (anew) {
                takes.add(new AuthChange.DeleteUser(user.name()));
            }
            if (anew || !there) {
                list.add(
                        switch (user.signIn()) {
                            case SignIn.Password _ -> new AuthChange.AddUser(user.name());
                            case SignIn.Certificate _ -> new AuthChange.AddUserWithoutPassword(user.name());
                        });
            }
            if (there && !anew && hasOtherPassword(user)) {
                takes.add(new AuthChange.ChangePassword(user.name()));
            }
            var has = anew ? NO_ROLES : have.users().getOrDefault(user.name(), NO_ROLES);
            user.roles().stream()
                    .filter(role -> !has.contains(role))
                    .forEach(role -> list.add(new AuthChange.GrantRole(user.name(), role)));
            has.stream()
                    .filter(role -> !user.roles().contains(role))
                    .forEach(role -> takes.add(new AuthChange.RevokeRole(user.name(), role)));
        }

        /// etcd does not tell it; only for users of ours it is known. A user of others may have a password.
        private boolean signsInOtherwise(User user) {
            boolean password = user.signIn() instanceof SignIn.Password;
            return known.filter(k -> k.applied().users().containsKey(user.name()))
                    .map(k -> k.passwords().containsKey(user.name()) != password)
                    .orElse(!password);
        }

        /// A user that we did not make, or not completely, has a password that we do not know.
        private boolean hasOtherPassword(User user) {
            return user.signIn() instanceof SignIn.Password
                    && known.filter(k -> k.passwords().containsKey(user.name())).isEmpty();
        }

        private SortedSet<String> gone(SortedMap<String, ?> has, SortedMap<String, ?> wants, SortedSet<String> ours) {
            var gone = new TreeSet<String>();
            has.keySet().stream()
                    .filter(name -> !wants.containsKey(name) && !name.equals(User.ROOT))
                    .filter(name -> !wanted.holds(name) && (wanted.exclusive() || ours.contains(name)))
                    .forEach(gone::add);
            return gone;
        }

        private SortedSet<String> ours(Function<AuthState, SortedMap<String, ?>> part) {
            return known.<SortedSet<String>>map(
                            k -> new TreeSet<>(part.apply(k.applied()).keySet()))
                    .orElseGet(TreeSet::new);
        }

        private Strangers strangers(SortedSet<String> goneUsers, SortedSet<String> goneRoles) {
            return new Strangers(
                    strange(have.users(), wanted.users(), goneUsers), strange(have.roles(), wanted.roles(), goneRoles));
        }

        private static SortedSet<String> strange(
                SortedMap<String, ?> has, SortedMap<String, ?> wants, SortedSet<String> gone) {
            var strange = new TreeSet<>(has.keySet());
            strange.removeAll(wants.keySet());
            strange.removeAll(gone);
            strange.remove(User.ROOT);
            return strange;
        }
    }
}
