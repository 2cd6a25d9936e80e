package io.github.etcdgitops.gateway.store.credential;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The secret keys that decrypt backups: `identity` in the set of credentials named `age`, in the form that
/// age-keygen writes. Several lines are several keys, so that one can be replaced while older backups
/// remain readable.
public final class AgeIdentities implements Supplier<List<String>> {
    private final CredentialFolder folder;

    public AgeIdentities(Map<String, String> environment) {
        this.folder = CredentialFolder.in(environment);
    }

    @Override
    public List<String> get() {
        return folder.require("age", "identity", "age identity to decrypt with")
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }
}
