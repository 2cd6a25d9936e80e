package io.github.etcdgitops.policy;

import io.github.etcdgitops.inert.Few;
import io.github.etcdgitops.plan.heal.RepairReadiness;
import io.github.etcdgitops.policy.FleetRings.Ring;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.state.journal.ChangeHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Objections of fleet rules to operations that would start now, by the operations' ids.
final class FleetObjections {
    private static final int NAMED = 3;

    private FleetObjections() {}

    static SortedMap<String, String> of(Rule.OfFleet rule, FleetRings fleet, Instant now) {
        return switch (rule) {
            case Rule.CoolDown coolDown -> coolDown(coolDown, fleet, now);
            case Rule.Waves waves -> waves(waves, fleet, now);
            case Rule.MaxParallel parallel -> parallel(parallel, fleet);
            case Rule.BlastRadius radius -> radius(radius, fleet);
        };
    }

    /// A change that has started continues: it would only wait for itself.
    private static SortedMap<String, String> coolDown(Rule.CoolDown rule, FleetRings fleet, Instant now) {
        var objections = new TreeMap<String, String>();
        for (var ring : fleet.rings()) {
            young(ring, rule.between(), now)
                    .ifPresent(changed -> ring.ready(rule).stream()
                            .map(planned -> planned.operation().id())
                            .filter(id -> changed.ended() || !id.equals(changed.operationId()))
                            .forEach(id -> objections.put(
                                    id, "the ring changed recently: " + until(changed, rule.between()))));
        }
        return objections;
    }

    /// The last change of the ring, where it is too recent.
    private static Optional<ChangeHistory.Changed> young(Ring ring, Duration time, Instant now) {
        return ring.standing()
                .flatMap(RepairReadiness::changed)
                .filter(changed -> now.isBefore(changed.at().plus(time)));
    }

    private static String until(ChangeHistory.Changed changed, Duration time) {
        return changed.operation() + " on " + changed.at() + "; it can start on "
                + changed.at().plus(time);
    }

    private static SortedMap<String, String> waves(Rule.Waves rule, FleetRings fleet, Instant now) {
        var objections = new TreeMap<String, String>();
        for (var ring : fleet.rings()) {
            int wave = rule.of(ring.spec());
            for (var planned : ring.ready(rule)) {
                var before = new ArrayList<String>();
                fleet.rings().stream()
                        .filter(earlier -> rule.of(earlier.spec()) < wave)
                        .forEach(earlier -> unproven(rule, earlier, planned.operation(), now)
                                .ifPresent(why -> before.add(
                                        earlier.ref() + " (wave " + (rule.of(earlier.spec()) + 1) + ") " + why)));
                if (!before.isEmpty()) {
                    objections.put(
                            planned.operation().id(),
                            "the ring is in wave " + (wave + 1) + " of "
                                    + (rule.order().size() + 1) + ", and " + named(before));
                }
            }
        }
        return objections;
    }

    /// Why a ring of an earlier wave has not yet proved that such an operation is harmless.
    private static Optional<String> unproven(Rule.Waves rule, Ring earlier, Operation operation, Instant now) {
        boolean pending = earlier.pending(rule).stream()
                .anyMatch(o -> o.operation().kind().equals(operation.kind()));
        return pending
                ? Optional.of("must first do its " + operation.kind())
                : earlier.doubt()
                        .or(() -> young(earlier, rule.soak(), now)
                                .map(changed -> "is still being observed: " + until(changed, rule.soak())));
    }

    private static SortedMap<String, String> parallel(Rule.MaxParallel rule, FleetRings fleet) {
        var groups = fleet.rings().stream()
                .collect(Collectors.groupingBy(ring -> group(rule, ring), TreeMap::new, Collectors.toList()));
        var objections = new TreeMap<String, String>();
        groups.forEach((group, rings) -> {
            var places = new ArrayList<String>();
            rings.forEach(ring -> ring.busy().ifPresent(what -> places.add(ring.ref() + " (" + what + ")")));
            for (var ring : rings) {
                if (ring.busy().isPresent() || ring.ready(rule).isEmpty()) {
                    continue;
                }
                if (places.size() < rule.most()) {
                    places.add(ring.ref() + " (it is its turn)");
                } else {
                    String why = rule.most() + (rule.most() == 1 ? " ring is" : " rings are") + " changed at a time"
                            + group + ", now " + named(places);
                    ring.ready(rule).forEach(o -> objections.put(o.operation().id(), why));
                }
            }
        });
        return objections;
    }

    private static String group(Rule.MaxParallel rule, Ring ring) {
        return rule.by()
                .map(label -> Optional.ofNullable(
                                ring.spec().declaration().labels().get(label))
                        .map(value -> " where " + label + " is " + value)
                        .orElse(" without the label " + label))
                .orElse("");
    }

    private static SortedMap<String, String> radius(Rule.BlastRadius rule, FleetRings fleet) {
        var changed = fleet.rings().stream()
                .filter(ring -> !ring.ready(rule).isEmpty())
                .toList();
        int all = fleet.rings().size();
        boolean tooMany =
                rule.most().isPresent() && changed.size() > rule.most().getAsInt();
        boolean tooLarge = rule.percent().isPresent()
                && all >= rule.minRings()
                && changed.size() * 100L > (long) rule.percent().getAsInt() * all;
        if (!tooMany && !tooLarge) {
            return Collections.emptySortedMap();
        }
        String limit = tooMany
                ? rule.most().getAsInt() + " is the limit"
                : rule.percent().getAsInt() + " percent is the limit";
        String why = changed.size() + " of " + all + " rings would change in one run, and " + limit;
        return byId(rule, changed, why);
    }

    private static SortedMap<String, String> byId(Rule.OfFleet rule, List<Ring> rings, String why) {
        var objections = new TreeMap<String, String>();
        rings.forEach(ring ->
                ring.ready(rule).forEach(o -> objections.put(o.operation().id(), why)));
        return objections;
    }

    private static String named(List<String> rings) {
        return Few.of(rings, NAMED);
    }
}
