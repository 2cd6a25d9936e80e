package io.github.etcdgitops.spec.value;

import io.github.etcdgitops.validation.Location;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The feature gates that were set, each with the location that counts. A gate that is not in here has its
/// default. `overruled` are those that the ring's own document decides in another field.
public record Features(SortedMap<FeatureGate, Setting> set, SortedSet<FeatureGate> overruled) {
    public static final Features NONE = new Features(new TreeMap<>(), new TreeSet<>());

    public Features {
        set = Collections.unmodifiableSortedMap(new TreeMap<>(set));
        overruled = Collections.unmodifiableSortedSet(new TreeSet<>(overruled));
    }

    /// A level of the repository that sets values, as messages name it.
    public sealed interface Level {
        enum Sole implements Level {
            FLEET("fleet"),
            POLICY("policy"),
            /// A ring's own document.
            RING("ring");

            private final String words;

            Sole(String words) {
                this.words = words;
            }

            @Override
            public String toString() {
                return words;
            }
        }

        record Environment(String name) implements Level {
            @Override
            public String toString() {
                return "environment " + name;
            }
        }
    }

    /// The value of one level.
    public record Setting(boolean on, Location at, Level level) {
        public boolean ofRing() {
            return level == Level.Sole.RING;
        }

        @Override
        public String toString() {
            return on + ", from " + at.file() + ":" + at.line() + " (" + level + ")";
        }
    }

    /// The same below another level, whose values apply where this one has none.
    public Features below(Features outer) {
        var all = new TreeMap<>(outer.set);
        all.putAll(set);
        return new Features(all, overruled);
    }

    /// The same in a ring that decides the gate's subject in another field.
    public Features overruling(FeatureGate gate) {
        var more = new TreeSet<>(overruled);
        more.add(gate);
        return new Features(set, more);
    }

    /// The value, whether or not it decides anything.
    public boolean value(FeatureGate gate) {
        return setting(gate).map(Setting::on).orElse(gate.byDefault());
    }

    /// Whether the gate turns the behaviour on in the ring.
    public boolean on(FeatureGate gate) {
        return value(gate) && !overruled.contains(gate);
    }

    public Optional<Setting> setting(FeatureGate gate) {
        return Optional.ofNullable(set.get(gate));
    }

    /// `true, from etcd-gitops.yaml:12 (environment prod)`, or `false, by default`.
    public String provenance(FeatureGate gate) {
        return setting(gate).map(Setting::toString).orElse(gate.byDefault() + ", by default");
    }

    /// etcd's own feature gates that are on in members of that version.
    public SortedSet<FeatureGate> ofMembers(EtcdVersion version) {
        var on = EnumSet.noneOf(FeatureGate.class);
        Arrays.stream(FeatureGate.values())
                .filter(gate -> gate.isOfEtcd() && gate.isIn(version) && on(gate))
                .forEach(on::add);
        return new TreeSet<>(on);
    }
}
