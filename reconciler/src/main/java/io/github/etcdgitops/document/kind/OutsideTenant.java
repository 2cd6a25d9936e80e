package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.field.Folder;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.Suggestion;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.validation.Violation;
import java.util.Collection;
import java.util.List;

/// What the Fleet does not allow a tenant.
public final class OutsideTenant {
    private OutsideTenant() {}

    public static String title(String tenant) {
        return "the tenant " + Shown.quoted(tenant);
    }

    /// A value that the field `fence` of the tenant does not allow.
    public static Violation violation(
            YamlDocument document,
            List<String> place,
            String tenant,
            String fence,
            String what,
            Collection<String> allowed) {
        String list = Suggestion.some(List.copyOf(allowed));
        return Violation.of(
                "outside-tenant",
                document.at(place),
                what + "; `" + fence + "` of " + title(tenant) + " allows " + (list.isEmpty() ? "none" : list) + ".",
                (list.isEmpty() ? "Leave it out" : "Choose what is allowed") + ", or have `" + fence + "` of the tenant"
                        + " changed in " + Folder.FLEET_FILE + ".");
    }
}
