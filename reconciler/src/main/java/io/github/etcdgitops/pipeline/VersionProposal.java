package io.github.etcdgitops.pipeline;

import io.github.etcdgitops.document.ReadFiles;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.document.VersionEdit;
import io.github.etcdgitops.git.publish.CommitMessage;
import io.github.etcdgitops.git.publish.PublishResult;
import io.github.etcdgitops.git.publish.ReportPublisher;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.git.tree.TreeDigest;
import io.github.etcdgitops.pipeline.environment.Environments;
import io.github.etcdgitops.report.PatchText;
import io.github.etcdgitops.ring.roll.Patch;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.validation.Location;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Releases for the rings of a repository that advisories hit, and the files that ask for them. `all` has each of
/// these rings, also those that no release helps.
public record VersionProposal(String commit, List<Patch> all, SortedMap<String, byte[]> files) {
    private static final int DIGITS = 12;

    /// `desired` is what `tree` says, read with `files`; of it, only the rings of the environment, where there is one.
    /// A ring is proposed
    /// only if the changed document is valid, and then asks for
    /// the release.
    public static VersionProposal of(
            SourceTree tree, DesiredState desired, Optional<String> environment, ReadFiles files) {
        var rings = environment
                .map(name -> Environments.rings(desired, name))
                .orElseGet(() -> List.copyOf(desired.rings().values()));
        var all = rings.stream().flatMap(ring -> Patch.of(ring).stream()).toList();
        var wanted = new HashMap<Location, EtcdVersion>();
        all.forEach(patch -> patch.release()
                .ifPresent(v -> wanted.put(patch.ring().declaration().source(), v)));
        var edited = VersionEdit.of(tree, wanted);
        var then = SpecLoader.load(with(tree, edited), files);
        var checked = new ArrayList<Patch>();
        for (var patch : all) {
            boolean done = patch.release().isEmpty()
                    || Optional.ofNullable(then.rings().get(patch.ring().ref()))
                            .map(EtcdClusterSpec::server)
                            .filter(server ->
                                    server.version().equals(patch.release().get()))
                            .isPresent();
            checked.add(done ? patch : patch.byHand());
            if (!done) {
                wanted.remove(patch.ring().declaration().source());
            }
        }
        return new VersionProposal(tree.commit(), List.copyOf(checked), VersionEdit.of(tree, wanted));
    }

    private static SourceTree with(SourceTree tree, Map<String, byte[]> edited) {
        var documents = new TreeMap<>(tree.documents());
        documents.putAll(edited);
        return new SourceTree(tree.commit(), documents, tree.violations(), tree.large(), TreeDigest.of(documents));
    }

    /// Those with a release.
    public List<Patch> patches() {
        return all.stream().filter(patch -> patch.release().isPresent()).toList();
    }

    /// The same for the same rings and releases, whatever else the repository has.
    public String branch() {
        String what = patches().stream()
                .map(patch -> patch.ring().ref() + "=" + patch.release().orElseThrow())
                .collect(Collectors.joining("\n"));
        return "etcd-gitops/versions-" + TreeDigest.of(what).substring(0, DIGITS);
    }

    /// Starts the branch, unless it is there. Throws [io.github.etcdgitops.git.repository.GitException].
    public PublishResult publish(ReportPublisher publisher, Instant now) {
        var trailers = new LinkedHashMap<String, String>();
        trailers.put(ReportBranch.SOURCE, commit);
        var message = new CommitMessage(
                PatchText.title(patches()), PatchText.plain(patches()), trailers, ReportBranch.AUTHOR, now);
        return publisher.begin(branch(), commit, files, message);
    }
}
