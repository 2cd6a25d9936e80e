package io.github.etcdgitops.gateway.access;

import java.util.regex.Pattern;

/// A ServiceAccount that requests impersonate.
public record ServiceAccount(String namespace, String name) {
    private static final int LONGEST = 253;
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    /// The name becomes part of a user name and of a header: a name that is not valid for an object is
    /// refused.
    public ServiceAccount {
        if (!isName(namespace) || !isName(name)) {
            throw new IllegalArgumentException("no ServiceAccount can have this namespace and name");
        }
    }

    public static boolean isName(String text) {
        return text.length() <= LONGEST && SUBDOMAIN.matcher(text).matches();
    }

    /// Its name at the API server. The server adds the groups of ServiceAccounts itself where the request
    /// names no group; naming them would need the right to impersonate groups, which no Role can limit to a
    /// namespace.
    public String user() {
        return "system:serviceaccount:" + namespace + ":" + name;
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
