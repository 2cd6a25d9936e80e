package io.github.etcdgitops.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.document.yaml.Suggestion;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionTest {
    private static final List<String> KNOWN = List.of("size", "version", "storage", "storageClassName", "suspend");

    @Test
    void findsWhatATypingErrorMeant() {
        assertThat(Suggestion.nearest("sizw", KNOWN)).contains("size");
        assertThat(Suggestion.nearest("vesrion", KNOWN)).contains("version");
        assertThat(Suggestion.nearest("STORAGECLASSNAME", KNOWN)).contains("storageClassName");
    }

    @Test
    void knowsWordsOfOtherTools() {
        assertThat(Suggestion.nearest("replicas", KNOWN)).contains("size");
        assertThat(Suggestion.nearest("replicas", List.of("version"))).isEmpty();
    }

    @Test
    void keepsQuietWhenNothingIsNear() {
        assertThat(Suggestion.nearest("zebra", KNOWN)).isEmpty();
        assertThat(Suggestion.nearest("", KNOWN)).isEmpty();
        assertThat(Suggestion.nearest("s".repeat(100_000), KNOWN)).isEmpty();
    }

    @Test
    void countsSwapsAsOne() {
        assertThat(Suggestion.distance("abcd", "abdc")).isEqualTo(1);
        assertThat(Suggestion.distance("", "abc")).isEqualTo(3);
        assertThat(Suggestion.distance("kitten", "sitting")).isEqualTo(3);
    }
}
