package io.github.etcdgitops.gateway.store.credential;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// The profile `default` of a file in the format of AWS's own tools, as Secrets of other operators have it.
final class AwsIni {
    private AwsIni() {}

    static Map<String, String> defaultProfile(String text) {
        var values = new HashMap<String, String>();
        boolean ours = false;
        for (String raw : text.lines().toList()) {
            String line = raw.strip();
            int equals = line.indexOf('=');
            if (line.startsWith("[")) {
                ours = line.equals("[default]") || line.equals("[profile default]");
            } else if (ours && equals > 0 && !line.startsWith("#") && !line.startsWith(";")) {
                values.put(
                        line.substring(0, equals).strip().toLowerCase(Locale.ROOT),
                        line.substring(equals + 1).strip());
            }
        }
        return values;
    }
}
