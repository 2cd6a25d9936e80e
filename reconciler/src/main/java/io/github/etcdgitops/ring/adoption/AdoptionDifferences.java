package io.github.etcdgitops.ring.adoption;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.roll.Configuration;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Quantity;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.Foreign;
import io.github.etcdgitops.state.ForeignMember;
import io.github.etcdgitops.state.ForeignSettings;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.member.MemberState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/// Compares the document with what runs, setting by setting. `adopt-differs` gives the line to write.
/// `adopt-changes` lists what changes at the members' first restart under our template without making it
/// another ring.
record AdoptionDifferences(
        EtcdClusterSpec spec, Foreign foreign, ForeignSettings settings, List<ForeignMember> members) {
    List<Finding> findings() {
        var findings = new ArrayList<Finding>();
        int replicas = foreign.set().replicas();
        findings.addAll(compare("/spec/size", "" + spec.size(), "" + replicas, "size: " + replicas));
        findings.addAll(storage());
        findings.addAll(image());
        findings.addAll(options());
        findings.addAll(transport());
        findings.addAll(gates());
        members.stream()
                .filter(m -> !m.settings().options().equals(settings.options()))
                .forEach(m -> findings.add(new Finding(
                        Level.ERROR,
                        FindingCode.ADOPT_REFUSED,
                        m.pod().name() + " has other settings than the other members")));
        settings.changed().forEach(what -> findings.add(changes(what)));
        findings.add(changes("the pod template to the one from the document. etcd then runs as an unprivileged user"));
        findings.add(changes("the members' addresses to names of the Service "
                + spec.ref().name() + "-peer. The pods' names under the Service "
                + foreign.set().serviceName() + " stop working"));
        return findings;
    }

    /// What a feature gate asks for follows later.
    private List<Finding> transport() {
        var wanted = spec.server().tls().transport();
        boolean gated = spec.server().features().on(FeatureGate.PEER_TLS)
                && wanted.client().plain();
        return gated || wanted.equals(Transport.PLAIN)
                ? List.of()
                : List.of(new Finding(
                        Level.ERROR,
                        FindingCode.ADOPT_DIFFERS,
                        "/spec/tls asks for " + wanted.describe()
                                + ", and the ring runs without TLS. Leave spec.tls out until the ring is adopted"));
    }

    private List<Finding> gates() {
        var features = spec.server().features();
        return Arrays.stream(FeatureGate.values())
                .filter(features::on)
                .map(gate -> new Finding(
                        Level.NOTE,
                        FindingCode.ONE_AT_A_TIME,
                        "feature gate " + gate + " is " + features.provenance(gate)
                                + ". The ring gets it after the adoption"))
                .toList();
    }

    /// An information finding where both agree, or an error with the line to write.
    static List<Finding> compare(String pointer, String document, String runs, String line) {
        return List.of(
                document.equals(runs)
                        ? new Finding(
                                Level.NOTE,
                                FindingCode.ADOPT_SAME,
                                pointer + " is " + runs + ", the same as in the running ring")
                        : new Finding(
                                Level.ERROR,
                                FindingCode.ADOPT_DIFFERS,
                                pointer + " is " + document + ", and the running ring has " + runs + ": write `" + line
                                        + "`"));
    }

    private static Finding changes(String what) {
        return new Finding(Level.NOTE, FindingCode.ADOPT_CHANGES, "the first restart changes " + what);
    }

    private List<Finding> storage() {
        var claims = foreign.set().claims();
        if (claims.size() != 1) {
            return List.of();
        }
        var has = claims.firstEntry().getValue();
        boolean same =
                Quantity.parse(has.size()).equals(Quantity.parse(spec.storage().size()));
        var findings = new ArrayList<>(compare(
                "/spec/storage/size", same ? has.size() : spec.storage().size(), has.size(), "size: " + has.size()));
        has.storageClassName()
                .filter(_ -> spec.storage().storageClassName().isPresent())
                .ifPresent(name -> findings.addAll(compare(
                        "/spec/storage/storageClassName",
                        spec.storage().storageClassName().orElseThrow(),
                        name,
                        "storageClassName: " + name)));
        return findings;
    }

    /// The name of the image does not matter: its version is checked when the first member is back.
    private List<Finding> image() {
        var wanted = spec.server().imageOf(spec.server().version());
        return foreign.template().containers().stream()
                .map(Foreign.Container::image)
                .map(has -> has.equals(wanted)
                        ? new Finding(
                                Level.NOTE,
                                FindingCode.ADOPT_SAME,
                                "/spec/image is " + has + ", the same as in the running ring")
                        : changes("the image from " + has + " to " + wanted))
                .toList();
    }

    private List<Finding> options() {
        var document = MemberSettings.adopting(spec.server()).options();
        var runs = new MemberSettings(spec.server().version(), settings.options()).options();
        var findings = new ArrayList<Finding>();
        var names = new TreeSet<>(document.keySet());
        names.addAll(runs.keySet());
        for (String name : names) {
            var wanted = document.get(name);
            var has = runs.get(name);
            String pointer = "/spec/etcd/" + name;
            if (Objects.equals(wanted, has)) {
                findings.add(new Finding(
                        Level.NOTE,
                        FindingCode.ADOPT_SAME,
                        pointer + " is " + has + ", the same as in the running ring"));
            } else if (name.equals(Configuration.QUOTA)
                    && has == null
                    && wanted instanceof Number quota
                    && fits(quota)) {
                findings.add(changes("the quota from etcd's own to " + quota + " bytes"));
            } else {
                findings.add(
                        new Finding(Level.ERROR, FindingCode.ADOPT_DIFFERS, difference(pointer, name, wanted, has)));
            }
        }
        return findings;
    }

    private static String difference(
            String pointer,
            String name,
            @org.jspecify.annotations.Nullable Object wanted,
            @org.jspecify.annotations.Nullable Object has) {
        return pointer + " is "
                + Optional.ofNullable(wanted).map(Object::toString).orElse("left out")
                + ", and the running ring has "
                + Optional.ofNullable(has).map(Object::toString).orElse("etcd's own") + ": "
                + (has == null ? "leave it out" : "write `" + name + ": " + has + "`");
    }

    /// A quota well above the size of the data does not make another ring. With more data than quota, the
    /// ring would refuse writes.
    private boolean fits(Number quota) {
        return members.stream()
                .flatMap(m -> m.member().stream())
                .flatMap(m -> m.status().optional().stream())
                .mapToLong(MemberState.Status::dbSize)
                .allMatch(size -> size < quota.longValue());
    }
}
