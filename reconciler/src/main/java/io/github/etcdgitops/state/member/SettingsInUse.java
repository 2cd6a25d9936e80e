package io.github.etcdgitops.state.member;

import io.github.etcdgitops.spec.value.FeatureGate;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What a member says of the settings that it runs with. etcd silently ignores a key of its file that it does not
/// know, so the file proves nothing. What a member does not tell is missing here: 3.3 to 3.5 do not tell of feature
/// gates. `quota` is in bytes.
public record SettingsInUse(Optional<Long> quota, Map<FeatureGate, Boolean> features) {
    public SettingsInUse {
        features = Collections.unmodifiableMap(new TreeMap<>(features));
    }
}
