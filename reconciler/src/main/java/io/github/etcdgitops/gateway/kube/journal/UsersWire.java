package io.github.etcdgitops.gateway.kube.journal;

import com.fasterxml.jackson.databind.JsonMappingException;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.Grant.Access;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.value.WireName;
import io.github.etcdgitops.state.auth.AuthState;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.UserSecrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The written form of the users and roles that we made. A key's bytes are written as the characters 0 to
/// 255.
record UsersWire(
        boolean enabled,
        SortedMap<String, List<String>> users,
        SortedMap<String, List<Keys>> roles,
        SortedMap<String, Integer> passwords,
        Optional<UserSecrets> secrets)
        implements Wire<Journal.Users> {
    static UsersWire of(Journal.Users known) {
        var users = new TreeMap<String, List<String>>();
        known.applied().users().forEach((user, roles) -> users.put(user, List.copyOf(roles)));
        var roles = new TreeMap<String, List<Keys>>();
        known.applied()
                .roles()
                .forEach((role, grants) ->
                        roles.put(role, grants.stream().map(Keys::of).toList()));
        return new UsersWire(known.applied().enabled(), users, roles, known.passwords(), known.secrets());
    }

    @Override
    public Journal.Users meaning() throws JsonMappingException {
        var known = new TreeMap<String, SortedSet<String>>();
        users.forEach((user, ofUser) -> known.put(user, new TreeSet<>(ofUser)));
        var grants = new TreeMap<String, SortedSet<Grant>>();
        for (var role : roles.entrySet()) {
            var meant = new ArrayList<Grant>();
            for (var keys : role.getValue()) {
                meant.add(keys.meaning());
            }
            grants.put(role.getKey(), new TreeSet<>(meant));
        }
        return new Journal.Users(new AuthState(enabled, known, grants), passwords, secrets);
    }

    /// `range` is the first key and the end, which may be empty.
    record Keys(String access, List<String> range) implements Wire<Grant> {
        static Keys of(Grant grant) {
            return new Keys(
                    grant.access().wire(),
                    List.of(grant.keys().from(), grant.keys().end()));
        }

        @Override
        public Grant meaning() throws JsonMappingException {
            var allowed = WireName.find(Access.values(), access)
                    .orElseThrow(() -> JournalFields.wrong("access", JournalFields.UNKNOWN));
            if (range.size() != 2) {
                throw JournalFields.wrong("range", "is not a pair of keys");
            }
            return new Grant(allowed, new KeyRange(range.getFirst(), range.getLast()));
        }
    }
}
