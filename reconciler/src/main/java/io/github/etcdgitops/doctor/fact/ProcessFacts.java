package io.github.etcdgitops.doctor.fact;

import java.util.List;
import java.util.Optional;

/// This process and its machine. `zoneAsked` is the variable TZ. Settings are named and never shown.
public record ProcessFacts(
        String java,
        int javaFeature,
        String zone,
        Optional<String> zoneAsked,
        Fact<String> cache,
        Fact<String> temporary,
        Settings settings) {
    /// `variables` by name; `file` is the file that ETCD_GITOPS_CONFIG names.
    public record Settings(List<String> variables, Optional<String> file) {
        public Settings {
            variables = variables.stream().sorted().toList();
        }
    }
}
