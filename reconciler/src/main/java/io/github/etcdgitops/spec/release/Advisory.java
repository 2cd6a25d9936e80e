package io.github.etcdgitops.spec.release;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.WireName;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A published weakness of etcd. `fixed` has the first good release of each line that got a fix. It hits only
/// rings that have everything of `needs`.
public record Advisory(
        String id,
        List<String> aliases,
        String title,
        LocalDate published,
        Severity severity,
        Set<Need> needs,
        List<EtcdVersion> fixed) {
    public Advisory {
        aliases = List.copyOf(aliases);
        needs = Set.copyOf(needs);
        fixed = fixed.stream().sorted().toList();
    }

    public enum Severity implements WireName {
        LOW,
        MEDIUM,
        HIGH,
        CRITICAL;

        @Override
        public String wire() {
            return switch (this) {
                case LOW -> "low";
                case MEDIUM -> "medium";
                case HIGH -> "high";
                case CRITICAL -> "critical";
            };
        }
    }

    /// What a ring must have for a weakness to matter.
    public enum Need implements WireName {
        AUTH,
        TLS,
        CRL;

        @Override
        public String wire() {
            return switch (this) {
                case AUTH -> "auth";
                case TLS -> "tls";
                case CRL -> "crl";
            };
        }
    }

    public boolean hits(EtcdVersion version, Set<Need> ring) {
        return ring.containsAll(needs) && isIn(version);
    }

    /// Whether the release has the weakness: its line was fixed later, or is older than each line that was fixed.
    /// A later line than these never had it.
    public boolean isIn(EtcdVersion version) {
        return fixIn(version)
                .map(good -> version.compareTo(good) < 0)
                .orElseGet(() -> fixed.stream().anyMatch(version::isOlderMinorThan));
    }

    /// The first good release of the version's own line.
    public Optional<EtcdVersion> fixIn(EtcdVersion version) {
        return fixed.stream().filter(version::isSameMinorAs).min(Comparator.naturalOrder());
    }
}
