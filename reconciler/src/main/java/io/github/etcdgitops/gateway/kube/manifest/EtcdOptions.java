package io.github.etcdgitops.gateway.kube.manifest;

import io.github.etcdgitops.spec.auth.Auth;
import io.github.etcdgitops.spec.auth.TokenKey;
import io.github.etcdgitops.spec.release.TypedSetting;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.Map;

/// The settings that a spec allows, by their names in the schema, as keys of etcd's own file.
final class EtcdOptions {
    private EtcdOptions() {}

    /// Throws on an option without a translation: leaving it out would silently run the ring with another
    /// setting.
    static void put(Map<String, Object> file, MemberSettings applied) {
        applied.options().forEach((name, value) -> {
            var typed = TypedSetting.of(name).map(setting -> setting.key(applied.version()));
            if (typed.isPresent()) {
                file.put(typed.get(), value instanceof Number amount ? amount.longValue() : value);
            } else if (name.equals("extra") && value instanceof Map<?, ?> extra) {
                extra.forEach((key, other) -> file.put(String.valueOf(key), other));
            } else if (name.equals("distributedTracing") && value instanceof Map<?, ?> tracing) {
                putTracing(file, applied.version(), tracing);
            } else if (name.equals(TokenKey.OPTION)) {
                putToken(file, applied);
            } else if (name.equals("logLevel") && value instanceof String level) {
                putLogLevel(file, applied, level);
            } else if (name.equals("autoCompaction") && value instanceof Map<?, ?> compaction) {
                file.put("auto-compaction-mode", text(compaction, "mode"));
                file.put("auto-compaction-retention", text(compaction, "retention"));
            } else {
                throw new IllegalArgumentException("etcd option " + name + " cannot be written");
            }
        });
    }

    /// 3.3 does not start with it; its members get it with the upgrade.
    private static void putToken(Map<String, Object> file, MemberSettings applied) {
        var key = applied.tokenKey()
                .orElseThrow(() -> new IllegalArgumentException("the option " + TokenKey.OPTION + " is incomplete"));
        if (Auth.isIn(applied.version())) {
            file.put("auth-token", token(key));
        }
    }

    private static String token(TokenKey key) {
        return "jwt,priv-key=" + PodPaths.TOKEN_KEY + ",sign-method="
                + key.method().wire() + ",ttl=" + key.ttlSeconds() + "s";
    }

    /// 3.3 only knows debug or not.
    private static void putLogLevel(Map<String, Object> file, MemberSettings applied, String level) {
        if (applied.version().atLeast(3, 4, 0)) {
            file.put("log-level", level);
        } else if (level.equals("debug")) {
            file.put("debug", true);
        }
    }

    private static void putTracing(Map<String, Object> file, EtcdVersion version, Map<?, ?> tracing) {
        file.put(TypedSetting.grown("enable-distributed-tracing", version), true);
        file.put(TypedSetting.grown("distributed-tracing-address", version), text(tracing, "address"));
        if (tracing.get("samplingRatePerMillion") instanceof Number rate) {
            file.put(TypedSetting.grown("distributed-tracing-sampling-rate", version), rate.longValue());
        }
    }

    private static String text(Map<?, ?> option, String key) {
        Object value = option.get(key);
        if (value == null) {
            throw new IllegalArgumentException("an etcd option lacks " + key);
        }
        return value.toString();
    }
}
