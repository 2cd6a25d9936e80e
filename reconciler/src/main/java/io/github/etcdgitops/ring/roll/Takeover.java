package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.time.Validity;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.journal.Journal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The change from one CA of the ring to the next: because the spec asks for a newer one, or because only a
/// third of the current CA's lifetime is left.
public final class Takeover {
    private final Tls tls;
    private final Journal journal;
    private final Instant now;

    public Takeover(EtcdClusterSpec spec, Journal journal, Instant now) {
        this.tls = spec.server().tls();
        this.journal = journal;
        this.now = now;
    }

    /// The authorities for each restart of members that trust `has`, one after the other. The former CA
    /// stays until clients have had time to add the new one.
    public List<Authorities> from(Authorities has) {
        if (!journal.applied().transport().secured()) {
            return List.of();
        }
        int wanted = Math.max(tls.authority().number(), has.newest() + (due(has) ? 1 : 0));
        boolean ours = tls.issuer() == Tls.Issuer.BUILT_IN;
        var stages = new ArrayList<Authorities>();
        var at = has;
        if (at.settled() && wanted > at.newest()) {
            at = ours ? at.joinedBy(wanted) : Authorities.of(wanted);
            stages.add(at);
        }
        if (!at.settled() && over(has)) {
            stages.add(at.withoutFormer());
        }
        return stages;
    }

    /// The former CA remains trusted for a while.
    public Optional<Finding> finding() {
        var has = journal.applied().trusted();
        return has.settled() || over(has)
                ? Optional.empty()
                : Optional.of(new Finding(
                        Level.NOTE,
                        FindingCode.AUTHORITY_OVERLAP,
                        "the ring trusts " + has.describe() + " until "
                                + since().plus(tls.authority().overlap())
                                + ", so that clients can load the new CA. Until then the former CA signs new"
                                + " certificates"));
    }

    /// A change under way continues: then the newest CA is one that no member was started with yet.
    private boolean due(Authorities has) {
        return has.settled()
                && tls.issuer() == Tls.Issuer.BUILT_IN
                && (begun()
                        || validity().filter(v -> !now.isBefore(v.renewal())).isPresent());
    }

    /// The Secrets already contain a CA that is to take over.
    private boolean begun() {
        return journal.past().certificates().filter(c -> c.authorities() > 1).isPresent();
    }

    private boolean over(Authorities has) {
        return tls.authority().overlap().isZero()
                || (!has.settled() && !now.isBefore(since().plus(tls.authority().overlap())));
    }

    /// When both became trusted, or shortly before.
    private Instant since() {
        return validity().map(Validity::begin).orElse(now);
    }

    /// The validity of the newest of the ring's CAs.
    private Optional<Validity> validity() {
        return journal.past().certificates().flatMap(Journal.Certificates::newest);
    }
}
