package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.kube.journal.JournalFile;
import io.github.etcdgitops.golden.Golden;
import io.github.etcdgitops.ring.auth.DesiredUsers;
import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.Grant;
import io.github.etcdgitops.spec.auth.KeyRange;
import io.github.etcdgitops.spec.auth.User;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.time.Validity;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.backup.KvHash;
import io.github.etcdgitops.state.backup.SnapshotContents;
import io.github.etcdgitops.state.journal.ChangeHistory;
import io.github.etcdgitops.state.journal.Inspection;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.journal.RestartAttempts;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.journal.SnapshotOrigin;
import io.github.etcdgitops.state.journal.UserSecrets;
import io.github.etcdgitops.state.underway.Recovery;
import io.github.etcdgitops.state.value.EtcdId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JournalFileTest {
    private static final Instant SINCE = Instant.parse("2026-11-22T03:15:00.5Z");
    private static final RetainedRing.Data HASH = new RetainedRing.Data(812, -1, 4_294_967_295L);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Golden GOLDEN = new Golden("manifests/journal");

    @AfterAll
    static void everyGoldenFileWasRead() {
        GOLDEN.assertAllUsed();
    }

    static List<Journal> journals() {
        return List.of(fresh(), full());
    }

    @Test
    void writesTheSameBytesForTheSameJournal() {
        GOLDEN.assertMatches("fresh.json", JournalFile.write(fresh()));
        GOLDEN.assertMatches("full.json", JournalFile.write(full()));
    }

    static List<Auth> manyUsers() {
        var many = new ArrayList<Auth>();
        for (String key : List.of("k", "\u0001", "\"", "é", "k".repeat(500), "\u0001".repeat(500))) {
            var users = new TreeMap<String, User>();
            var roles = new TreeMap<String, SortedSet<Grant>>();
            for (int i = 0; i < 20; i++) {
                var grants = new TreeSet<Grant>();
                for (int j = 0; j < 20; j++) {
                    grants.add(new Grant(Grant.Access.READWRITE, KeyRange.prefix(key + j)));
                }
                roles.put("role" + i, grants);
                var signIn = new User.SignIn.Password(Optional.empty(), 9_999);
                users.put("user" + i, new User("user" + i, new TreeSet<>(roles.keySet()), signIn));
            }
            many.add(new Auth(true, false, users, roles));
            many.add(new Auth(true, false, users, new TreeMap<>()));
        }
        return many;
    }

    /// Documents are refused by this number.
    @ParameterizedTest
    @MethodSource("manyUsers")
    void usersTakeNoMoreThanTheirWeight(Auth auth) {
        int without = JournalFile.write(fresh()).getBytes(StandardCharsets.UTF_8).length;
        var with = fresh().withUsers(DesiredUsers.noted(
                auth,
                Optional.empty(),
                Optional.of(new UserSecrets(
                        "0123456789abcdef", new TreeSet<>(auth.users().keySet())))));
        String text = JournalFile.write(with);

        // What a ring with one user has.
        int frame = 400;
        assertThat(text.getBytes(StandardCharsets.UTF_8).length - without - frame)
                .isLessThanOrEqualTo((int) auth.weight());
        assertThat(JournalFile.read(text)).isEqualTo(with);
    }

    @ParameterizedTest
    @MethodSource("journals")
    void readsWhatItWrote(Journal journal) {
        Journal read = JournalFile.read(JournalFile.write(journal));

        assertThat(JournalFile.write(read)).isEqualTo(JournalFile.write(journal));
        assertThat(read.members()).isEqualTo(journal.members());
        assertThat(read.intent()).isEqualTo(journal.intent());
        assertThat(read.clusterId()).isEqualTo(journal.clusterId());
        assertThat(read.applied().version()).isEqualTo(journal.applied().version());
    }

    @Test
    void readsAnyJournalThatItWrote() {
        for (int seed = 0; seed < 500; seed++) {
            var journal = AnyJournal.of(seed);
            String text = JournalFile.write(journal);

            assertThat(JournalFile.read(text)).as("seed %d", seed).isEqualTo(journal);
            assertThat(JournalFile.write(JournalFile.read(text))).isEqualTo(text);
        }
    }

    /// A component that is renamed is another field: journals of earlier versions would be refused.
    @Test
    void namesItsFieldsAsEarlierVersionsDid() throws IOException {
        var fields = new TreeSet<String>();
        for (int seed = 0; seed < 500; seed++) {
            collect("", JSON.readTree(JournalFile.write(AnyJournal.of(seed))), fields);
        }

        GOLDEN.assertMatches("fields.txt", String.join("\n", fields) + "\n");
    }

    private static void collect(String path, JsonNode node, SortedSet<String> fields) {
        switch (node) {
            case ObjectNode object ->
                object.properties().forEach(field -> {
                    String at = path + "." + (field.getKey().matches("\\d+") ? "N" : field.getKey());
                    if (path.endsWith(".options")) {
                        fields.add(path.substring(1) + ".*");
                    } else {
                        collect(at, field.getValue(), fields);
                    }
                });
            case ArrayNode array -> array.forEach(item -> collect(path + "[]", item, fields));
            default -> fields.add(path.substring(1));
        }
    }

    @Test
    void keepsTheOptionsAsTheyAre() {
        var options = new TreeMap<String, Object>(
                Map.of("small", 5, "large", 68719476736L, "map", new TreeMap<>(Map.of("mode", "periodic"))));
        var journal = new Journal(
                1,
                "t",
                Optional.empty(),
                new MemberSettings(Samples.version("3.5.16"), options),
                new TreeMap<>(),
                Optional.empty());

        assertThat(JournalFile.read(JournalFile.write(journal))).isEqualTo(journal);
    }

    @Test
    void keepsTheGatesAndRefusesOneThatItDoesNotKnow() {
        var journal = full().withApplied(Samples.gated("3.5.16"));
        String text = JournalFile.write(journal);

        assertThat(JournalFile.read(text)).isEqualTo(journal);
        for (String other : List.of("PeerTls", "Turbo")) {
            assertThatThrownBy(() -> JournalFile.read(text.replace("CompactHashCheck", other)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("applied.features names a gate that this version does not know");
        }
        assertThatThrownBy(() -> JournalFile.read(text.replace("\"CompactHashCheck\"", "7")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("applied.features is not a list of texts");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "7", "{", "{} {}", "nonsense", "{\"epoch\":1,\"epoch\":2}"})
    void refusesWhatIsNoJournal(String text) {
        assertThatThrownBy(() -> JournalFile.read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the journal");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"formatVersion\" : 1 | \"formatVersion\" : 2 | format 2",
                "\"epoch\" : 7 | \"epoch\" : -7 | epoch",
                "\"epoch\" : 7 | \"epoch\" : 7.5 | epoch",
                "\"token\" : | \"tokens\" : | token",
                "\"JOIN\" | \"WAIT\" | intent.kind is unknown",
                "\"8e9e05c52164694d\" | \"xyz\" | clusterId",
                "\"ordinal\" : 10 | \"ordinal\" : 10000000000 | intent.ordinal",
                "\"10\" : | \"ten\" : | members.ten",
                "\"incarnation\" : \"b2\" | \"incarnation\" : null | incarnation",
                "\"clusterId\" : \"8e9e05c52164694d\" | \"clusterId\" : null | field clusterId is null",
                "\"logLevel\" : \"debug\" | \"logLevel\" : null | field applied.options.logLevel is null",
                "[ \"orders-1\" ] | [ null ] | field origin.contents.hashes.members is null",
                "[ \"orders-1\" ] | \"orders-1\" | field origin.contents.hashes.members is not a list",
                "\"settled\" : 1 | \"settled\" : true | field adopted.settled is not a whole number",
                "\"backedOut\" : | \"backedOut\" : \"\", \"x\" : | field backedOut is not an object",
                "\"missed\" : | \"missed\" : {}, \"mist\" : | field tries.mist is unknown",
                "\"version\" : \"3.5.16\" | \"version\" : \"newest\" | applied.version",
                "\"claimUid\" : \"uid-0\" | \"claim\" : \"uid-0\" | members.0.claim",
                "\"epoch\" : 7 | \"epoch\" : 7, \"v2RecordsUpTo\" : -1 | field v2RecordsUpTo is negative",
                "\"epoch\" : 7 | \"epoch\" : 7, \"v2RecordsUpTo\" : \"none\" | field v2RecordsUpTo is not a whole number",
            })
    void namesTheFieldThatIsWrong(String from, String to, String named) {
        String broken = JournalFile.write(full()).replace(from, to);

        assertThat(broken).isNotEqualTo(JournalFile.write(full()));
        assertThatThrownBy(() -> JournalFile.read(broken))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(named);
    }

    @Test
    void repeatsNothingOfABrokenText() {
        assertThatThrownBy(() -> JournalFile.read("{\"token\": s3cret}"))
                .hasMessageContaining("line 1")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void readsRollAsWritten() {
        var roll = new Intent.Roll(
                new MemberSettings(Samples.version("3.5.30"), Samples.ALL_OPTIONS)
                        .with(new Transport(Transport.Mode.MUTUAL, Transport.Mode.MIXED)),
                "container.image=0123456789ab");
        for (var kind : List.of(Intent.Kind.ROLL, Intent.Kind.UNROLL)) {
            var rolling = full().withIntent(Optional.of(new Intent(kind, 0, "op-3", 8, Optional.of(roll))));

            assertThat(JournalFile.read(JournalFile.write(rolling))).isEqualTo(rolling);
        }
    }

    @Test
    void refusesRollWithoutTarget() {
        var broken = full().withIntent(Optional.of(new Intent(Intent.Kind.ROLL, 0, "op-3", 8)));

        assertThatThrownBy(() -> JournalFile.read(JournalFile.write(broken)))
                .hasMessage("the journal's field intent.roll is missing");
    }

    @Test
    void readsReplacementFromJournal() {
        var formers = new TreeMap<>(Map.of(
                1,
                new Intent.Former(EtcdId.parse("ff"), "uid-1", Intent.Why.LOST),
                4,
                new Intent.Former(EtcdId.parse("2"), "uid-4", Intent.Why.MEMBER_ASKED),
                10,
                new Intent.Former(EtcdId.parse("1"), "uid-9", Intent.Why.VOLUME_ASKED)));
        var matter = new Intent.Replacement(formers);
        var journal = full().withIntent(Optional.of(Intent.of(Intent.Kind.REPLACE, "op-5", 8, matter)));

        assertThat(JournalFile.read(JournalFile.write(journal))).isEqualTo(journal);
        assertThat(journal.replacement()).contains(matter);
        var broken = full().withIntent(Optional.of(new Intent(Intent.Kind.REPLACE, 0, "op-5", 8)));
        assertThatThrownBy(() -> JournalFile.read(JournalFile.write(broken)))
                .hasMessage("the journal's field intent.replacement is missing");
    }

    @Test
    void recreationIsReadAsWritten() {
        for (var storageClass : List.of(Optional.<String>empty(), Optional.of("fast"))) {
            var from = new Intent.Recreation(
                    new Storage("2Gi", storageClass), 3, "orders-5d7c", "container.image=0123456789ab");
            var journal = full().withIntent(Optional.of(Intent.of(Intent.Kind.RECREATE, "op-4", 8, from)));

            assertThat(JournalFile.read(JournalFile.write(journal))).isEqualTo(journal);
            assertThat(journal.recreation()).contains(from);
        }
        var broken = full().withIntent(Optional.of(new Intent(Intent.Kind.RECREATE, 0, "op-4", 8)));
        assertThatThrownBy(() -> JournalFile.read(JournalFile.write(broken)))
                .hasMessage("the journal's field intent.recreation is missing");
    }

    @Test
    void readsRunThatStartedOperation() {
        var begun = new ChangeHistory.Begun("20261126-1", "ScaleOut", "op-6", 5);
        var journal = full().withDoings(full().past().doings().with(Optional.of(begun)));

        assertThat(JournalFile.read(JournalFile.write(journal))).isEqualTo(journal);
    }

    @Test
    void deletionIsReadAsWritten() {
        for (var kind : List.of(Intent.Kind.DELETE, Intent.Kind.RETURN)) {
            for (var data : List.of(Optional.<RetainedRing.Data>empty(), Optional.of(HASH))) {
                var remains = new RetainedRing("the team has moved", SINCE, data);
                for (var volumes : RetainedRing.Volumes.values()) {
                    var fate = full().withIntent(Optional.of(Intent.of(kind, "op-6", 8, remains.with(volumes))));
                    assertThat(JournalFile.read(JournalFile.write(fate))).isEqualTo(fate);
                    var saved = remains.with(volumes).with(new RetainedRing.Saved("20261122T031500Z-last", 812));
                    var beyond = remains.with(volumes).going(new TreeMap<>(Map.of(0, "uid-0", 3, "uid-3")));
                    var going = full().withIntent(Optional.of(Intent.of(kind, "op-6", 8, beyond)));
                    assertThat(JournalFile.read(JournalFile.write(going))).isEqualTo(going);
                    var snapshot = full().withIntent(Optional.of(Intent.of(kind, "op-6", 8, saved)));
                    assertThat(JournalFile.read(JournalFile.write(snapshot))).isEqualTo(snapshot);
                }
                var journal = full().withIntent(Optional.of(Intent.of(kind, "op-6", 8, remains)));

                assertThat(JournalFile.read(JournalFile.write(journal))).isEqualTo(journal);
                assertThat(journal.remains()).contains(remains);
            }
            var broken = full().withIntent(Optional.of(new Intent(kind, 0, "op-6", 8)));
            assertThatThrownBy(() -> JournalFile.read(JournalFile.write(broken)))
                    .hasMessage("the journal's field intent.remains is missing");
        }
    }

    @Test
    void recoveryIsReadAsWritten() {
        var origin = new SnapshotOrigin(
                Recovery.request(new EtcdId(31)),
                "s3://backups/orders.db",
                Optional.of("20260101T000000Z-quorum-7"),
                20_512,
                "ab".repeat(32),
                Optional.empty(),
                Optional.empty());
        var journal = full().withIntent(Optional.of(Intent.of(Intent.Kind.RECOVER, "op-7", 9, origin)));

        assertThat(JournalFile.read(JournalFile.write(journal))).isEqualTo(journal);
        var broken = full().withIntent(Optional.of(new Intent(Intent.Kind.RECOVER, 0, "op-7", 9)));
        assertThatThrownBy(() -> JournalFile.read(JournalFile.write(broken)))
                .hasMessage("the journal's field intent.origin is missing");
    }

    @Test
    void pausedIntentIsReadAsWritten() {
        var roll = new Intent.Roll(new MemberSettings(Samples.version("3.5.30"), Samples.ALL_OPTIONS), "digest");
        var former = new Intent.Former(EtcdId.parse("ff"), "uid-1", Intent.Why.LOST);
        var replacing =
                Intent.of(Intent.Kind.REPLACE, "op-5", 8, new Intent.Replacement(new TreeMap<>(Map.of(1, former))));
        var origin = new SnapshotOrigin(
                "orders-back", "s3://x", Optional.empty(), 1, "ab".repeat(32), Optional.empty(), Optional.empty());
        for (var kind : List.of(Intent.Kind.ROLL, Intent.Kind.UNROLL)) {
            var rolling = new Intent(kind, 0, "op-3", 7, Optional.of(roll));
            var paused = replacing.pausing(Optional.of(rolling));
            var all = Intent.of(Intent.Kind.RECOVER, "op-7", 9, origin).pausing(Optional.of(paused));

            var journal = full().withIntent(Optional.of(all));

            assertThat(JournalFile.read(JournalFile.write(journal))).isEqualTo(journal);
            assertThat(journal.roll()).contains(roll);
            assertThat(journal.intent().flatMap(Intent::paused)).contains(paused);
            assertThat(replacing.pausing(Optional.of(paused)))
                    .as("of its own kind it takes the place")
                    .isEqualTo(paused);
        }
    }

    @Test
    void pausedIntentsCannotBeNested() {
        var joining = new Intent(Intent.Kind.JOIN, 3, "op-2", 7);
        assertThatThrownBy(() -> joining.pausing(Optional.of(new Intent(Intent.Kind.LEAVE, 2, "op-1", 6))))
                .hasMessage("JOIN cannot pause LEAVE");
        String text = JournalFile.write(full());
        int at = text.indexOf("\"kind\" : \"JOIN\"");
        String nested = text.substring(0, at)
                + "\"paused\" : {\"kind\": \"LEAVE\", \"ordinal\": 1, \"operationId\": \"x\", \"epoch\": 1}, "
                + text.substring(at);

        assertThat(at).isPositive();
        assertThatThrownBy(() -> JournalFile.read(nested)).hasMessage("JOIN cannot pause LEAVE");
    }

    private static Journal fresh() {
        return new Journal(
                1,
                "orders-7f3a",
                Optional.empty(),
                Samples.applied("3.5.16"),
                new TreeMap<>(),
                Optional.of(new Intent(Intent.Kind.FOUND, 0, "op-1", 1)));
    }

    static Journal full() {
        var members = new TreeMap<Integer, Journal.Member>();
        members.put(0, new Journal.Member("a1", Optional.of(EtcdId.parse("ff")), Optional.of("uid-0")));
        members.put(2, new Journal.Member("b2", Optional.of(EtcdId.parse("fedcba9876543210")), Optional.empty()));
        members.put(10, new Journal.Member("c3", Optional.empty(), Optional.empty()));
        return new Journal(
                7,
                "orders-7f3a",
                Optional.of(EtcdId.parse("8e9e05c52164694d")),
                new MemberSettings(Samples.version("3.5.16"), Samples.ALL_OPTIONS),
                members,
                Optional.of(new Intent(Intent.Kind.JOIN, 10, "op-2", 7)),
                new Journal.Past(
                        Optional.of(new SnapshotOrigin(
                                "orders-again",
                                "s3://backups/prod/shop/orders/1f/20261122T031500Z/snapshot.db.zst",
                                Optional.of("20261122T031500Z"),
                                4_294_967_328L,
                                "0f".repeat(32),
                                Optional.of(1_000_000_000L),
                                Optional.of(new SnapshotContents(
                                        Samples.version("3.5.16"),
                                        812,
                                        OptionalLong.of(99),
                                        List.of(
                                                new KvHash(812, -1, 0, List.of("orders-1")),
                                                new KvHash(
                                                        812, 700, 4_294_967_295L, List.of("orders-1", "orders-2"))))))),
                        Optional.of(new Journal.BackedOut("op-1", "its image cannot be pulled")),
                        Optional.of(new Journal.Certificates(
                                "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
                                new Validity(
                                        Instant.parse("2026-11-22T03:15:00Z"), Instant.parse("2027-11-22T03:15:00Z")),
                                Optional.of(new Validity(
                                        Instant.parse("2026-11-22T03:15:00Z"), Instant.parse("2036-11-22T03:15:00Z"))),
                                Optional.of(Tls.Issuer.BUILT_IN))),
                        Optional.of(new Journal.Adopted("datadir", "uid-set", true)),
                        Optional.of(new RetainedRing("the team has moved", SINCE, Optional.of(HASH))),
                        new ChangeHistory(
                                2,
                                new RestartAttempts(
                                        new TreeMap<>(Map.of(
                                                2,
                                                new RestartAttempts.Tried(
                                                        EtcdId.parse("fedcba9876543210"), 1, SINCE, "uid-pod"))),
                                        Optional.of(SINCE),
                                        new TreeMap<>(Map.of(
                                                0,
                                                new Inspection(
                                                        "uid-0",
                                                        SINCE,
                                                        "uid-pod/3",
                                                        new Inspection.Outcome.Told(
                                                                812,
                                                                Optional.of(new Inspection.Hash(-1, 4_294_967_295L)),
                                                                true),
                                                        new TreeSet<>(List.of(EtcdId.parse("fedcba9876543210")))),
                                                1,
                                                new Inspection(
                                                        "uid-1",
                                                        SINCE,
                                                        "none",
                                                        new Inspection.Outcome.Told(1, Optional.empty())),
                                                2,
                                                new Inspection(
                                                        "uid-2",
                                                        SINCE,
                                                        "none",
                                                        new Inspection.Outcome.Unreadable("etcd does not start")))),
                                        new TreeMap<>(
                                                Map.of(1, new RestartAttempts.Missed("uid-claim", "node-7", SINCE))),
                                        new TreeMap<>(Map.of(
                                                3,
                                                new RestartAttempts.Joined(2, SINCE, true, Optional.of("claim-3"))))),
                                Optional.of(new ChangeHistory.Changed("UpgradeVersion", "op-0", SINCE, true)))));
    }
}
