package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.FeatureChange;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Restarts the members one after the other with another pod template or other etcd options, on the version
/// that they run. Several changes of one commit are one roll.
///
/// `template` identifies the template by the digests of its parts. `parts` are those that change, for
/// people. `attempt` is part of the id: a higher number is another operation. `features` are the gates
/// whose value changes.
///
/// A failure leaves a ring in which at most one member is away. The next run continues, or rolls back where
/// that member cannot start.
public record RollMembers(
        ClusterRef ref, Roll roll, String template, List<String> parts, int attempt, List<FeatureChange> features)
        implements Rolling {
    public RollMembers {
        parts = List.copyOf(parts);
        features = List.copyOf(features);
    }

    @Override
    public String kind() {
        return "RollMembers";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return RequestedBy.again(
                List.of(new RequestedBy.Configuration(roll.former(), roll.target(), features, parts)), attempt);
    }

    @Override
    public String target() {
        var on = roll.target().features();
        return "options=" + roll.target().options() + (on.isEmpty() ? "" : " features=" + on) + " template=" + template
                + " attempt=" + attempt;
    }

    @Override
    public Resolved resolved() {
        return roll.resolved();
    }

    @Override
    public String reason() {
        String configuration = "the members run with another configuration than the spec asks for";
        return features.isEmpty()
                ? configuration
                : configuration + ": feature gate "
                        + features.stream().map(FeatureChange::toString).collect(Collectors.joining("; "));
    }

    @Override
    public String summary() {
        var changes = new ArrayList<String>();
        features.forEach(change -> changes.add(change.gate() + (change.on() ? " on" : " off")));
        changes.addAll(options());
        // One of the annotations is the digest of the members' configuration.
        var others = parts.stream()
                .filter(part -> changes.isEmpty() || !part.equals("annotations"))
                .toList();
        if (!others.isEmpty()) {
            changes.add("another " + String.join(", ", others));
        }
        return "restart " + roll.order(ref) + (changes.isEmpty() ? "" : " with " + String.join(", ", changes));
    }

    /// The etcd options that change, like `snapshotCount 20000 (was 10000)`.
    private List<String> options() {
        var former = roll.former().options();
        var target = roll.target().options();
        var names = new TreeSet<>(former.keySet());
        names.addAll(target.keySet());
        return names.stream()
                .filter(name -> !Objects.equals(former.get(name), target.get(name)))
                .map(name -> name + " " + target.getOrDefault(name, "as etcd has it")
                        + (former.containsKey(name) ? " (was " + former.get(name) + ")" : ""))
                .toList();
    }

    /// Every result of it can be rolled back.
    @Override
    public boolean needsBackup() {
        return false;
    }

    @Override
    public List<Step> steps() {
        return roll.steps(ref, id());
    }
}
