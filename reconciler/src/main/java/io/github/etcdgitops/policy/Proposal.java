package io.github.etcdgitops.policy;

import io.github.etcdgitops.plan.fleet.Estimate;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import java.time.Duration;

/// An operation as rules see it: a planned one, or one from an earlier plan.
public sealed interface Proposal {
    ClusterRef ref();

    String kind();

    String id();

    String summary();

    Risk risk();

    Consent consent();

    boolean changesRing();

    /// Whether it repairs the ring, or completes a started change.
    boolean mends();

    int steps();

    /// The estimated duration.
    Duration time();

    static Proposal of(Operation operation) {
        return new Planned(operation);
    }

    /// Steps are computed only when needed.
    record Planned(Operation operation) implements Proposal {
        @Override
        public ClusterRef ref() {
            return operation.ref();
        }

        @Override
        public String kind() {
            return operation.kind();
        }

        @Override
        public String id() {
            return operation.id();
        }

        @Override
        public String summary() {
            return operation.summary();
        }

        @Override
        public Risk risk() {
            return operation.risk();
        }

        @Override
        public Consent consent() {
            return operation.consent();
        }

        @Override
        public boolean changesRing() {
            return operation.changesRing();
        }

        @Override
        public boolean mends() {
            return operation.endsWhatWasBegun();
        }

        @Override
        public int steps() {
            return operation.steps().size();
        }

        @Override
        public Duration time() {
            return Estimate.of(operation);
        }
    }

    /// As a published plan describes it.
    record Told(ClusterRef ref, Name name, Risk risk, Consent consent, Nature nature, Size size) implements Proposal {
        @Override
        public String kind() {
            return name.kind();
        }

        @Override
        public String id() {
            return name.id();
        }

        @Override
        public String summary() {
            return name.summary();
        }

        @Override
        public boolean changesRing() {
            return nature.changesRing();
        }

        @Override
        public boolean mends() {
            return nature.mends();
        }

        @Override
        public int steps() {
            return size.steps();
        }

        @Override
        public Duration time() {
            return size.time();
        }
    }

    record Name(String kind, String id, String summary) {}

    record Nature(boolean changesRing, boolean mends) {}

    record Size(int steps, Duration time) {}
}
