package io.github.etcdgitops.git.remote;

import io.github.etcdgitops.git.repository.RepositoryAddress;
import java.util.Locale;
import org.eclipse.jgit.transport.CredentialItem;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.URIish;

/// Answers the one question for which there is a token, and refuses all others: JGit asks in the same way
/// whether to accept an invalid certificate or an unknown host key.
final class TokenProvider extends CredentialsProvider {
    private final RepositoryAddress address;
    private final GitAccess access;

    TokenProvider(RepositoryAddress address, GitAccess access) {
        this.address = address;
        this.access = access;
    }

    @Override
    public boolean isInteractive() {
        return false;
    }

    @Override
    public boolean supports(CredentialItem... items) {
        for (CredentialItem item : items) {
            if (!(item instanceof CredentialItem.Username) && !(item instanceof CredentialItem.Password)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean get(URIish uri, CredentialItem... items) {
        if (access.token().isEmpty() || !supports(items) || !isOurs(uri)) {
            return false;
        }
        for (CredentialItem item : items) {
            if (item instanceof CredentialItem.Username name) {
                name.setValue(access.usernameOrDefault());
            } else if (item instanceof CredentialItem.Password password) {
                password.setValueNoCopy(access.token().get().toCharArray());
            }
        }
        return true;
    }

    private boolean isOurs(URIish uri) {
        boolean http =
                address.scheme() == RepositoryAddress.Scheme.HTTPS || address.scheme() == RepositoryAddress.Scheme.HTTP;
        return http
                && address.scheme().wire().equalsIgnoreCase(uri.getScheme())
                && uri.getHost() != null
                && address.host().equals(uri.getHost().toLowerCase(Locale.ROOT))
                && address.port().orElse(-1) == uri.getPort();
    }
}
