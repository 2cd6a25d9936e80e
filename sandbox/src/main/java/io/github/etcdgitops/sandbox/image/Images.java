package io.github.etcdgitops.sandbox.image;

import io.github.etcdgitops.sandbox.etcd.EtcdReleases;
import io.github.etcdgitops.sandbox.etcd.EtcdUnavailable;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The images that there are: etcd's, whose tag says which etcd it is, and etcd-gitops' own, whatever its tag.
public record Images(EtcdReleases releases, OwnImage own) {
    private static final Pattern ETCD =
            Pattern.compile("(?:.*/)?etcd:v?(\\d+\\.\\d+\\.\\d+(?:-[a-z]+\\.\\d+)?)(?:-\\d+)?(?:@.*)?");
    private static final String BINARIES = "/usr/local/bin";

    /// What a reference names. The first time it may take minutes. Throws [ImageUnavailable].
    public Image pull(String reference, Consumer<String> progress) throws InterruptedException {
        if (own.isMeantBy(reference)) {
            return own.image();
        }
        Matcher etcd = ETCD.matcher(reference);
        if (!etcd.matches()) {
            throw new ImageUnavailable("the sandbox runs nothing but images REPOSITORY/etcd:vX.Y.Z and "
                    + own.repository() + ", etcd-gitops itself");
        }
        try {
            var binaries = new Image.Layer(releases.folder(etcd.group(1), progress), BINARIES);
            return new Image(List.of(binaries), List.of(BINARIES + "/etcd"));
        } catch (EtcdUnavailable e) {
            throw new ImageUnavailable(String.valueOf(e.getMessage()));
        }
    }
}
