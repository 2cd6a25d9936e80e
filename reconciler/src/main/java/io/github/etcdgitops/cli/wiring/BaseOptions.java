package io.github.etcdgitops.cli.wiring;

import io.github.etcdgitops.document.ReadFiles;
import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.GitRepository;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Ratchet;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The base revision of a change.
public final class BaseOptions {
    /// Git's length of short commits.
    private static final int SHORT = 7;

    @Option(
            names = "--base",
            paramLabel = "REF",
            description = "Compare with this revision of the same repository: a branch, a tag, a full ref or a"
                    + " commit. Reject what cannot be undone since then, such as a feature gate that cannot be"
                    + " turned off again. 'validate' and 'plan --offline' also reject what existing rings cannot"
                    + " be changed to, such as smaller volumes. Default: no comparison.")
    @Nullable
    public String ref;

    @Option(
            names = "--base-policies",
            description = "Use the policies and the Fleet of --base, so that a change cannot relax the rules that"
                    + " check it. Errors in the changed policies are still reported.")
    public boolean policies;

    /// Reads the revision, where one is named. `files` are those that were read of the change.
    public Optional<Base> read(GitRepository repository, ReadFiles files) {
        return Optional.ofNullable(ref).map(name -> {
            String commit = repository.resolve(name);
            var tree = repository.read(commit, files::begin);
            return new Base(name, commit, tree, SpecLoader.load(tree, files), policies);
        });
    }

    public record Base(String name, String commit, SourceTree tree, DesiredState desired, boolean judges) {
        /// A change, judged by the rules of this revision. `changedTree` is what it was read from.
        public DesiredState judged(DesiredState changed, Supplier<SourceTree> changedTree) {
            var now = judges ? SpecLoader.load(changedTree.get(), tree) : changed;
            return now.with(Ratchet.violations(desired, commit.substring(0, SHORT), now));
        }

        /// For people: `refs/heads/main (1a2b3c4)`.
        public String title() {
            String shortened = commit.substring(0, SHORT);
            return commit.startsWith(name) ? shortened : name + " (" + shortened + ")";
        }
    }
}
