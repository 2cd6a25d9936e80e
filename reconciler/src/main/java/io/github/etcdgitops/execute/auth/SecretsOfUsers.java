package io.github.etcdgitops.execute.auth;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.RingPasswords;
import io.github.etcdgitops.gateway.RingPasswords.Touched;
import io.github.etcdgitops.inert.Few;
import io.github.etcdgitops.ring.StepResult;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Keeps our Secrets of users up to date, and removes those that are of no use. A Secret that is missing, or
/// that is not ours, fails nothing: the result of the step names it.
record SecretsOfUsers(StepContext context, PasswordSource passwords) {
    private static final int NAMED = 4;

    StepResult write(SortedSet<String> users) {
        return touched(users, passwords::connect);
    }

    /// A user that the documents no longer have loses its Secret only once the ring no longer has the user.
    StepResult remove(SortedSet<String> users, LeaderUsers calls) {
        var documents = context.spec().auth().map(auth -> auth.users()).orElseGet(TreeMap::new);
        var there = new TreeSet<>(calls.read().users().keySet());
        there.retainAll(users);
        there.removeIf(name -> documents.containsKey(name));
        return there.isEmpty()
                ? touched(users, passwords::remove)
                : new StepResult.Held("the ring still has " + Few.of(there, NAMED));
    }

    private StepResult touched(SortedSet<String> users, Function<String, Touched> touch) {
        var touched = new EnumMap<Touched, TreeSet<String>>(Touched.class);
        users.forEach(user ->
                touched.computeIfAbsent(touch.apply(user), _ -> new TreeSet<>()).add(secret(user)));
        String result = touched.entrySet().stream().map(this::result).collect(Collectors.joining("; "));
        return touched.containsKey(Touched.CHANGED) ? new StepResult.Done(result) : new StepResult.AlreadySo(result);
    }

    private String secret(String user) {
        return RingPasswords.userSecret(context.ref(), user);
    }

    private String result(Map.Entry<Touched, TreeSet<String>> some) {
        return Few.of(some.getValue(), NAMED)
                + switch (some.getKey()) {
                    case CHANGED -> ": done";
                    case ALREADY_SO -> ": already so";
                    case ABSENT -> ": no such Secret";
                    case FOREIGN -> ": not a Secret of ours, so it stays as it is";
                };
    }
}
