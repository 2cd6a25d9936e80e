package io.github.etcdgitops.gateway.store.credential;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.place.AllowedPlaces;
import io.github.etcdgitops.place.PlaceSource;
import java.util.Map;
import java.util.Optional;

/// The operator's statement of where credentials may be used: the file `places` beside the keys of a set,
/// and a variable for use without a set. Read each time, as the keys are. Without one, nothing is allowed.
public final class PlaceFiles implements PlaceSource {
    static final String FILE = "places";
    static final String VARIABLE = "ETCD_GITOPS_PLACES";

    private final CredentialFolder folder;
    private final Map<String, String> environment;

    public PlaceFiles(Map<String, String> environment) {
        this.folder = CredentialFolder.in(environment);
        this.environment = Map.copyOf(environment);
    }

    @Override
    public AllowedPlaces of(Optional<String> set) {
        return set.map(this::ofSet).orElseGet(this::withoutSet);
    }

    private AllowedPlaces ofSet(String name) {
        try {
            String source = folder.set(name).resolve(FILE).toString();
            return folder.read(name, FILE)
                    .map(text -> AllowedPlaces.parse(source, Optional.of(name), text))
                    .orElseGet(() -> AllowedPlaces.unusable(
                            source,
                            Optional.of(name),
                            "does not exist, so the credential set may not be used anywhere"));
        } catch (GatewayException e) {
            return AllowedPlaces.unusable(FILE, Optional.of(name), "cannot be read: " + e.getMessage());
        }
    }

    private AllowedPlaces withoutSet() {
        String text = environment.getOrDefault(VARIABLE, "");
        return text.isBlank()
                ? AllowedPlaces.unusable("the setting " + VARIABLE, Optional.empty(), "does not exist")
                : AllowedPlaces.parse("the setting " + VARIABLE, Optional.empty(), text);
    }

    /// Whether the operator's settings are available at all: a workflow that checks documents may not have
    /// them.
    public boolean given() {
        return environment.containsKey(VARIABLE) || folder.given();
    }
}
