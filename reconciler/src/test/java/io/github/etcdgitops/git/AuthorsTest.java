package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.kind.PassageReading;
import io.github.etcdgitops.git.history.Ancestry;
import io.github.etcdgitops.git.history.Reading;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.signature.AllowedSigners;
import io.github.etcdgitops.spec.Passage;
import io.github.etcdgitops.spec.Writers;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.PersonIdent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Each run is one in a new pod, with nothing of the history.
class AuthorsTest extends WithOrigin {
    private static final String MAIN = "refs/heads/main";
    private static final String SIDE = "refs/heads/side";
    private static final String RING = "clusters/orders.yaml";
    private static final String APPROVAL = "approvals/a.yaml";

    private final Map<String, String> files = new TreeMap<>();
    private int caches;

    private static Consumer<CommitBuilder> by(String name) {
        return commit -> commit.setAuthor(new PersonIdent(name, name + "@Example.org", Instant.EPOCH, ZoneOffset.UTC));
    }

    private String commit(String author, Consumer<CommitBuilder> more) {
        return origin.commit(MAIN, origin.files(files), by(author).andThen(more));
    }

    private String write(String author, String file, String text) {
        files.put(file, text);
        return commit(author, _ -> {});
    }

    private static String ring(int size, String version) {
        return """
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec:
              size: %d
              version: "%s"
            """.formatted(size, version);
    }

    private static String approval(String name, String by, String operation) {
        return """
            kind: Approval
            metadata: {name: %s}
            spec: {operations: ["%s"], approvedBy: %s}
            """.formatted(name, operation, by);
    }

    private static Passage ring(String file, String pointer) {
        return new Passage(file, "EtcdCluster", Optional.of("demo"), "orders", Optional.empty(), pointer);
    }

    private static Passage given(String file, String name, String by) {
        return new Passage(file, "Approval", Optional.empty(), name, Optional.of(by), "");
    }

    private Writers writers(Passage passage) {
        return writers(passage, Ancestry.MOST);
    }

    private Writers writers(Passage passage, int most) {
        try (var git = open("cache" + caches++)) {
            return writers(git, passage, most);
        }
    }

    private static Writers writers(GitRepository git, Passage passage, int most) {
        return new Authors(git)
                .of(git.resolve("main"), Map.of(passage, new PassageReading(passage)), most)
                .get(passage);
    }

    private Set<String> people(Passage passage) {
        var writers = writers(passage);
        assertThat(writers).isInstanceOf(Writers.Known.class);
        return ((Writers.Known) writers).people();
    }

    private Set<String> size() {
        return people(ring(RING, "/spec/size"));
    }

    @Test
    void authorIsWhoeverSetTheCurrentValue() {
        write("ann", RING, ring(5, "3.5.16"));
        write("mallory", RING, ring(3, "3.5.16"));
        write("bob", RING, ring(3, "3.5.17"));

        assertThat(size()).containsExactly("mallory@example.org");
        assertThat(people(ring(RING, "/spec/version"))).containsExactly("bob@example.org");
        assertThat(people(ring(RING, ""))).containsExactly("bob@example.org");
    }

    @Test
    void reformattingHasNoAuthor() {
        write("ann", RING, ring(5, "3.5.16"));
        write("mallory", RING, ring(3, "3.5.16"));
        write("bob", RING, "# tidy\n" + ring(3, "3.5.16").replace("size: 3", "size:  3 # as agreed"));
        write(
                "bob",
                RING,
                "spec: {version: '3.5.16', size: 3}\nmetadata: {namespace: demo, name: orders}\n"
                        + "kind: EtcdCluster\n");

        assertThat(size()).containsExactly("mallory@example.org");
        assertThat(people(ring(RING, ""))).containsExactly("mallory@example.org");
    }

    /// The index of an item changes with the items before it.
    @Test
    void itemOfListIsFoundByItsName() {
        String users = "  auth: {users: [{name: a, roles: [%s]}, {name: b, roles: [x]}]}\n";
        write("ann", RING, ring(3, "3.5.16") + users.formatted("x"));
        write("mallory", RING, ring(3, "3.5.16") + users.formatted("root"));
        write("bob", RING, ring(3, "3.5.16") + users.formatted("root").replace("[{name: a", "[{name: c}, {name: a"));
        write("kim", RING, ring(3, "3.5.16") + "  auth: {users: [{name: c}, {name: b, roles: [x]}]}\n");

        assertThat(people(ring(RING, "/spec/auth/users/a"))).containsExactly("kim@example.org");
        assertThat(people(ring(RING, "/spec/auth/users/b"))).containsExactly("ann@example.org");
        assertThat(people(ring(RING, "/spec/auth/users/c"))).containsExactly("bob@example.org");
        assertThat(people(ring(RING, "/spec/auth/users/0"))).isEmpty();
        assertThat(people(ring(RING, "/spec/auth/users"))).containsExactly("kim@example.org");
    }

    @Test
    void removerOfFieldIsItsAuthor() {
        write("ann", RING, ring(3, "3.5.16") + "  tls: {peer: true}\n");
        write("mallory", RING, ring(3, "3.5.16"));
        write("bob", RING, ring(3, "3.5.17"));

        assertThat(people(ring(RING, "/spec/tls"))).containsExactly("mallory@example.org");
        // Nobody has ever said anything of it.
        assertThat(people(ring(RING, "/spec/storage"))).isEmpty();
    }

    @Test
    void followsDocumentToAnotherFile() {
        write("ann", RING, ring(5, "3.5.16"));
        write("mallory", RING, ring(3, "3.5.16"));
        files.remove(RING);
        write("bob", "clusters/all.yaml", "kind: Other\n---\n" + ring(3, "3.5.17"));

        assertThat(people(ring("clusters/all.yaml", "/spec/size"))).containsExactly("mallory@example.org");
        assertThat(people(ring("clusters/all.yaml", "/spec/version"))).containsExactly("bob@example.org");
    }

    private String merge(String author, String message, String... parents) {
        return commit(author, commit -> {
            commit.setParentIds(
                    java.util.Arrays.stream(parents).map(ObjectId::fromString).toArray(ObjectId[]::new));
            commit.setMessage(message);
        });
    }

    private String side(String from, String author, String file, String text) throws IOException {
        origin.set(SIDE, ObjectId.fromString(from));
        var there = new TreeMap<>(files);
        there.put(file, text);
        return origin.commit(SIDE, origin.files(there), by(author));
    }

    @Test
    void mergeIsByAuthorsOfMergedCommits() throws IOException {
        String base = write("ann", RING, ring(5, "3.5.16"));
        String side = side(base, "mallory", RING, ring(3, "3.5.16"));
        String main = write("bob", RING, ring(5, "3.5.17"));
        files.put(RING, ring(3, "3.5.17"));
        merge("kim", "Merge\n", main, side);

        assertThat(size()).containsExactly("mallory@example.org");
        assertThat(people(ring(RING, "/spec/version"))).containsExactly("bob@example.org");
        assertThat(people(ring(RING, ""))).containsExactly("bob@example.org", "mallory@example.org");
    }

    @Test
    void contentOfNoSideIsByAuthorOfMerge() throws IOException {
        String base = write("ann", RING, ring(5, "3.5.16"));
        String side = side(base, "mallory", RING, ring(3, "3.5.16"));
        String main = write("bob", RING, ring(7, "3.5.16"));
        files.put(RING, ring(1, "3.5.16"));
        merge("kim", "Merge\n", main, side);

        assertThat(size()).contains("kim@example.org");
    }

    /// What a branch of long ago has is not what it brings in.
    @Test
    void mergeThatRevertsASideIsByItsAuthor() throws IOException {
        String base = write("ann", RING, ring(3, "3.5.16"));
        String side = side(base, "mallory", "clusters/note.txt", "nothing of it");
        String main = write("bob", RING, ring(5, "3.5.16"));
        files.put(RING, ring(3, "3.5.16"));
        merge("mallory", "Merge\n", main, side);
        write("bob", RING, ring(3, "3.5.17"));

        assertThat(size()).contains("mallory@example.org");
        assertThat(people(ring(RING, "/spec/version"))).containsExactly("bob@example.org");
    }

    @Test
    void branchesThatAreMergedOneAfterTheOtherAreByTheirAuthors() throws IOException {
        String main = write("ann", RING, ring(3, "3.5.16"));
        for (int size : new int[] {5, 7, 9}) {
            String side = side(main, "mallory" + size, RING, ring(size, "3.5.16"));
            String meanwhile = write("bob", "README.md", "" + size);
            files.put(RING, ring(size, "3.5.16"));
            main = merge("kim", "Merge\n", meanwhile, side);
        }

        assertThat(size()).containsExactly("mallory9@example.org");
    }

    @Test
    void countsSquashAuthorAndCoAuthorsAsAuthors() {
        write("ann", RING, ring(5, "3.5.16"));
        files.put(RING, ring(3, "3.5.16"));
        commit("mallory", commit -> {
            commit.setCommitter(new PersonIdent("forge", "noreply@forge.example", Instant.EPOCH, ZoneOffset.UTC));
            commit.setMessage("Shrink (#7)\n\n* one\n* two\n\nReviewed-by: Kim <kim@example.org>\n"
                    + "CO-AUTHORED-BY: Bob B. <Bob@Example.org>\nCo-authored-by: <eve@example.org>\n");
        });

        assertThat(size()).containsExactly("bob@example.org", "eve@example.org", "mallory@example.org");
    }

    @Test
    void everyAuthorOfAnApprovalCounts() {
        write("kim", APPROVAL, approval("orders-1", "kim", "0000000000000001"));
        write("mallory", APPROVAL, approval("orders-1", "kim", "0000000000000002"));
        write("kim", APPROVAL, approval("orders-1", "kim", "0000000000000003"));

        assertThat(people(given(APPROVAL, "orders-1", "kim")))
                .containsExactly("kim@example.org", "mallory@example.org");
    }

    @Test
    void treatsRenamedApprovalAsSame() {
        write("mallory", APPROVAL, approval("orders-1", "mallory", "0000000000000001"));
        write("kim", APPROVAL, approval("orders-2", "kim", "0000000000000001"));

        assertThat(people(given(APPROVAL, "orders-2", "kim")))
                .containsExactly("kim@example.org", "mallory@example.org");
    }

    @Test
    void eachApprovalInFileHasItsOwnAuthor() {
        String kims = approval("orders-1", "kim", "0000000000000001");
        write("kim", APPROVAL, kims);
        write("lee", APPROVAL, kims + "---\n" + approval("orders-1", "lee", "0000000000000001"));

        assertThat(people(given(APPROVAL, "orders-1", "kim"))).containsExactly("kim@example.org");
        assertThat(people(given(APPROVAL, "orders-1", "lee"))).containsExactly("lee@example.org");
    }

    /// Which of both is meant nobody can tell.
    @Test
    void addingForgedApprovalMakesAuthorOfBoth() {
        String kims = approval("orders-1", "kim", "0000000000000001");
        write("kim", APPROVAL, kims);
        write("mallory", APPROVAL, kims + "---\n" + kims.replace("0001", "0002"));
        assertThat(people(given(APPROVAL, "orders-1", "kim"))).contains("mallory@example.org");

        files.put(APPROVAL, kims);
        write("mallory", "approvals/b.yaml", kims.replace("0001", "0002"));
        assertThat(people(given("approvals/b.yaml", "orders-1", "kim"))).contains("mallory@example.org");
    }

    /// Nobody can tell what it said meanwhile.
    @Test
    void everyWriterOfTooLargeFileIsAuthor() {
        write("ann", RING, ring(3, "3.5.16"));
        String padding = "# padding\n".repeat(30_000);
        write("mallory", RING, padding + ring(3, "3.5.17"));
        write("eve", RING, "#" + padding + ring(3, "3.5.17"));
        write("bob", RING, ring(3, "3.5.17"));

        assertThat(people(ring(RING, "/spec/version")))
                .contains("mallory@example.org", "eve@example.org", "bob@example.org");
    }

    @Test
    void everyWriterOfInvalidYamlIsAuthor() {
        write("ann", RING, ring(3, "3.5.16"));
        write("mallory", RING, ring(3, "3.5.17") + "  size: 3\n");
        write("bob", RING, ring(3, "3.5.17"));

        assertThat(people(ring(RING, "/spec/version"))).contains("mallory@example.org", "bob@example.org");
    }

    @Test
    void moverOfUnreadableFileIsNotItsOnlyAuthor() {
        write("mallory", "clusters/big.yaml", "# padding\n".repeat(30_000) + ring(3, "3.5.17"));
        files.remove("clusters/big.yaml");
        write("bob", RING, ring(3, "3.5.17"));

        assertThat(people(ring(RING, "/spec/version"))).contains("mallory@example.org", "bob@example.org");
    }

    @Test
    void deleterIsAnAuthorOfRestoredDocument() {
        write("ann", RING, ring(3, "3.5.16"));
        write("mallory", RING, ring(3, "3.5.17"));
        files.remove(RING);
        write("mallory", "README.md", "nothing");
        write("bob", RING, ring(3, "3.5.17"));

        assertThat(people(ring(RING, "/spec/version"))).contains("mallory@example.org", "bob@example.org");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 49, 50, 51, 260})
    void fetchesAsMuchOfTheHistoryAsItTakes(int later) {
        write("mallory", RING, ring(3, "3.5.16"));
        for (int i = 0; i < later; i++) {
            write("bob", "README.md", "" + i);
        }

        assertThat(size()).containsExactly("mallory@example.org");
    }

    @Test
    void ofACommitThatIsNamedByItsIdItTellsTheSame() {
        write("ann", RING, ring(5, "3.5.16"));
        String named = write("mallory", RING, ring(3, "3.5.16"));
        var passage = ring(RING, "/spec/size");
        for (int i = 0; i < 2; i++) {
            try (var git = open("cache" + caches++)) {
                assertThat(new Authors(git).of(git.resolve(named), Map.of(passage, new PassageReading(passage))))
                        .containsValue(new Writers.Known(new java.util.TreeSet<>(Set.of("mallory@example.org"))));
            }
            write("bob", RING, ring(7, "3.5.16"));
        }
    }

    @Test
    void authorTooFarBackIsUnknown() {
        write("mallory", RING, ring(3, "3.5.16"));
        for (int i = 0; i < 60; i++) {
            write("bob", "README.md", "" + i);
        }

        assertThat(writers(ring(RING, "/spec/size"), 55)).isInstanceOf(Writers.Unknown.class);
    }

    /// A mirror, or a checkout of CI.
    @Test
    void shallowRepositoryDoesNotTellAuthors() throws Exception {
        write("mallory", RING, ring(3, "3.5.16"));
        write("bob", "README.md", "one");
        String tip = write("bob", "README.md", "two");
        Files.write(origin.path.resolve("shallow"), (tip + "\n").getBytes(UTF_8));

        assertThat(writers(ring(RING, "/spec/size")))
                .isEqualTo(new Writers.Unknown("the history of " + RING + " is cut off at " + tip.substring(0, 12)));
    }

    @Test
    void findsNoWritersOfUnknownDocument() {
        write("ann", RING, ring(3, "3.5.16"));

        assertThat(writers(given(APPROVAL, "orders-1", "kim")))
                .isEqualTo(new Writers.Unknown("the history of " + APPROVAL + " does not begin in the repository"));
    }

    @Test
    void signatureCountsBeforeClaimedAuthor() throws IOException, GeneralSecurityException {
        var mallory = SigningKey.of(folder.resolve("mallory"));
        var forge = SigningKey.of(folder.resolve("forge"));
        var allowed = Files.writeString(
                folder.resolve("allowed"), "Mallory@Example.org " + mallory.line() + "\nforge " + forge.line() + "\n");
        files.put(RING, ring(3, "3.5.16"));
        commit("ann", mallory.signs());
        files.put(RING, ring(3, "3.5.17"));
        commit("bob", forge.signs());

        for (boolean known : new boolean[] {true, false}) {
            var cacheDir = folder.resolve("cache" + caches++);
            var signers = AllowedSigners.read(allowed, Optional.empty(), cacheDir)
                    .withForges(known ? Set.of("forge") : Set.of());
            try (var git = GitRepository.open(origin.address(), GitAccess.none(), Optional.of(signers), cacheDir)) {
                assertThat(writers(git, ring(RING, "/spec/size"), 100))
                        .hasToString("Known[people=[mallory@example.org]]");
                assertThat(writers(git, ring(RING, "/spec/version"), 100))
                        .hasToString("Known[people=[" + (known ? "bob@example.org" : "forge") + "]]");
            }
        }
    }

    /// Each of the new ones may have been in any of those that the same commit changed.
    @Test
    void doesNotLookThroughMoreDocumentsThanItsBound() {
        for (int i = 0; i < 210; i++) {
            files.put("approvals/old-" + i + ".yaml", approval("old-" + i, "ann", "1"));
        }
        write("ann", RING, ring(3, "3.5.16"));
        var passages = new HashMap<Passage, Reading>();
        for (int i = 0; i < 210; i++) {
            files.put("approvals/old-" + i + ".yaml", approval("old-" + i, "ann", "2"));
        }
        for (int i = 0; i < 100; i++) {
            files.put("approvals/new-" + i + ".yaml", approval("new-" + i, "bob", "3"));
            var passage = given("approvals/new-" + i + ".yaml", "new-" + i, "bob");
            passages.put(passage, new PassageReading(passage));
        }
        write("bob", RING, ring(3, "3.5.17"));

        try (var git = open()) {
            var writers = new Authors(git).of(git.resolve("main"), passages).values();

            assertThat(writers)
                    .hasSize(100)
                    .allSatisfy(w -> assertThat(w)
                            .isIn(
                                    new Writers.Known(new TreeSet<>(Set.of("bob@example.org"))),
                                    w instanceof Writers.Unknown(String why, boolean _)
                                                    && why.contains("too many documents changed")
                                            ? w
                                            : null));
            assertThat(writers).hasAtLeastOneElementOfType(Writers.Unknown.class);
        }
    }

    @Test
    void tellsTheAuthorsOfThousandsOfDocumentsInOneFolder() {
        var passages = new HashMap<Passage, Reading>();
        for (int i = 0; i < 3000; i++) {
            files.put("approvals/a-" + i + ".yaml", approval("a-" + i, "bob", "3"));
            var passage = given("approvals/a-" + i + ".yaml", "a-" + i, "bob");
            passages.put(passage, new PassageReading(passage));
        }
        write("ann", RING, ring(3, "3.5.16"));
        write("bob", RING, ring(3, "3.5.17"));

        try (var git = open()) {
            assertThat(new Authors(git).of(git.resolve("main"), passages).values())
                    .hasSize(3000)
                    .containsOnly(new Writers.Known(new TreeSet<>(Set.of("ann@example.org"))));
        }
    }
}
