package io.github.etcdgitops.state;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// A pod template as a digest of each of its parts, so that two templates can be compared part by part long
/// after one of them is gone. As text: `affinity=1f0c22a9 container.image=…`.
public record TemplateParts(SortedMap<String, String> digests) {
    /// The only part of a template that is not ours.
    public static final String FOREIGN = "adopted";

    public TemplateParts {
        digests = Collections.unmodifiableSortedMap(new TreeMap<>(digests));
    }

    /// Text in another form, such as from an earlier version, is a template with unknown parts.
    public static TemplateParts parse(String text) {
        var digests = new TreeMap<String, String>();
        Arrays.stream(text.split(" ")).filter(part -> !part.isEmpty()).forEach(part -> {
            String[] pair = part.split("=", 2);
            digests.put(pair[0], pair.length == 2 ? pair[1] : "");
        });
        return new TemplateParts(digests);
    }

    public boolean foreign() {
        return digests.containsKey(FOREIGN);
    }

    /// Names of the parts that differ, or that only one of the two has.
    public List<String> differing(TemplateParts other) {
        var names = new TreeSet<>(digests.keySet());
        names.addAll(other.digests.keySet());
        names.removeIf(name -> Objects.equals(digests.get(name), other.digests.get(name)));
        return List.copyOf(names);
    }

    @Override
    public String toString() {
        return digests.entrySet().stream()
                .map(d -> d.getKey() + "=" + d.getValue())
                .collect(Collectors.joining(" "));
    }
}
