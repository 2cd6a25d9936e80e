package io.github.etcdgitops.gateway.store.credential;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The sets of credential files: a directory with a folder for each name, as a pod mounts Secrets. Read
/// each time, because keys are rotated while a process runs. No message contains a file's content.
final class CredentialFolder {
    private static final String VARIABLE = "ETCD_GITOPS_CREDENTIALS_DIR";
    private static final String DEFAULT = "/etc/etcd-gitops/credentials";
    private static final int LIMIT = 1 << 16;

    /// The name comes from Git and becomes part of a path.
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    private final Path folder;
    private final boolean named;

    private CredentialFolder(Path folder, boolean named) {
        this.folder = folder;
        this.named = named;
    }

    static CredentialFolder in(Map<String, String> environment) {
        String text = environment.getOrDefault(VARIABLE, "");
        return new CredentialFolder(Path.of(text.isEmpty() ? DEFAULT : text), !text.isEmpty());
    }

    /// Whether the directory was configured, or is at its place in a pod.
    boolean given() {
        return named || Files.isDirectory(folder);
    }

    Path set(String name) {
        if (!NAME.matcher(name).matches() || name.contains("..")) {
            throw new GatewayException(
                    Kind.UNAUTHORIZED,
                    false,
                    "the name of a credential set must be a valid name of a Secret: lower-case letters, digits, -"
                            + " and .");
        }
        return folder.resolve(name);
    }

    /// The content without surrounding white space; empty where there is no such file.
    Optional<String> read(String name, String file) {
        return read(set(name).resolve(file));
    }

    /// The same, and UNAUTHORIZED where there is none.
    String require(String name, String file, String what) {
        return read(name, file)
                .orElseThrow(() -> new GatewayException(
                        Kind.UNAUTHORIZED,
                        false,
                        "no " + what + ": the file " + set(name).resolve(file)
                                + " does not exist; mount the Secret that has it into that folder, or set "
                                + VARIABLE));
    }

    static Optional<String> read(Path path) {
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        try {
            if (Files.size(path) > LIMIT) {
                throw unusable(path, "is too large for a credential");
            }
            String text = Files.readString(path).strip();
            if (text.isEmpty()) {
                throw unusable(path, "is empty");
            }
            return Optional.of(text);
        } catch (IOException _) {
            throw unusable(path, "cannot be read as text; check its mode and its owner");
        }
    }

    static GatewayException unusable(Path path, String why) {
        return new GatewayException(Kind.UNAUTHORIZED, false, "the credential file " + path + " " + why);
    }
}
