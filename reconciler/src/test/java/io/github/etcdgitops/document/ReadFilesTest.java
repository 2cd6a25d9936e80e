package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.tree.SourceTree;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadFilesTest {
    private static final String PAYMENTS = "clusters/demo/payments.yaml";
    private static final String ORDERS = "clusters/demo/orders.yaml";

    private final ReadFiles files = new ReadFiles();

    @Test
    void readsWhatTwoRevisionsShareOnce() {
        byte[] ring = bytes(Trees.ring("orders", ""));

        var first = files.read(ORDERS, ring, true);

        assertThat(files.read(ORDERS, ring.clone(), true)).isSameAs(first);
    }

    @Test
    void readsChangedFileAgain() {
        var three = tree(Map.of(ORDERS, Trees.ring("orders", "")));
        var five = tree(Map.of(ORDERS, Trees.ring("orders", "").replace("size: 3", "size: 5")));

        SpecLoader.load(three, files);

        assertThat(SpecLoader.load(five, files))
                .isEqualTo(SpecLoader.load(five))
                .isNotEqualTo(SpecLoader.load(three));
    }

    @Test
    void takesWhatWasBegunAhead() {
        var good = Map.of(ORDERS, Trees.ring("orders", ""), PAYMENTS, "kind: [");
        var tree = tree(good);

        tree.documents().forEach(files::begin);

        assertThat(SpecLoader.load(tree, files)).isEqualTo(SpecLoader.load(tree));
    }

    @Test
    void readsAgainWhatDiffersFromWhatWasBegun() {
        files.begin(ORDERS, bytes(Trees.ring("orders", "").replace("size: 3", "size: 5")));
        var three = tree(Map.of(ORDERS, Trees.ring("orders", "")));

        assertThat(SpecLoader.load(three, files)).isEqualTo(SpecLoader.load(three));
    }

    @Test
    void namesNewLocationOfMovedFile() {
        String wrong = Trees.ring("orders", "").replace("size: 3", "size: many");
        var moved = tree(Map.of(PAYMENTS, wrong));

        SpecLoader.load(tree(Map.of(ORDERS, wrong)), files);

        assertThat(SpecLoader.load(moved, files).violations())
                .isNotEmpty()
                .isEqualTo(SpecLoader.load(moved).violations())
                .allSatisfy(violation -> assertThat(violation.at().file()).isEqualTo(PAYMENTS));
    }

    @Test
    void forgetsNothingOfRevisionThatIsReadFirst() {
        var both = tree(Map.of(ORDERS, Trees.ring("orders", ""), PAYMENTS, Trees.ring("payments", "")));
        var one = tree(Map.of(ORDERS, Trees.ring("orders", "")));

        assertThat(SpecLoader.load(both, files)).isEqualTo(SpecLoader.load(both));
        assertThat(SpecLoader.load(one, files)).isEqualTo(SpecLoader.load(one));
        assertThat(SpecLoader.load(both, files)).isEqualTo(SpecLoader.load(both));
    }

    @Test
    void doesNotTakeFileNamedAloneForOneOfItsFolder() {
        byte[] ring = bytes(Trees.ring("orders", ""));

        assertThat(files.read("README.yaml", ring, true)).isInstanceOf(ReadFile.Elsewhere.class);
        assertThat(files.read("README.yaml", ring, false)).isInstanceOf(ReadFile.Documents.class);
    }

    private static SourceTree tree(Map<String, String> documents) {
        return Trees.of(documents);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
