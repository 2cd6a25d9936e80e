package io.github.etcdgitops.cli.wiring;

import io.github.etcdgitops.document.SpecLoader;
import io.github.etcdgitops.git.GitRepository;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Ratchet;
import java.util.Optional;
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

    /// Reads the revision, where one is named.
    public Optional<Base> read(GitRepository repository) {
        return Optional.ofNullable(ref).map(name -> {
            String commit = repository.resolve(name);
            return new Base(name, commit, repository.read(commit), policies);
        });
    }

    public record Base(String name, String commit, SourceTree tree, boolean judges) {
        /// The tree of a change, judged by the rules of this revision.
        public DesiredState judged(SourceTree changed) {
            var now = judges ? SpecLoader.load(changed, tree) : SpecLoader.load(changed);
            return now.with(Ratchet.violations(desired(), commit.substring(0, SHORT), now));
        }

        public DesiredState desired() {
            return SpecLoader.load(tree);
        }

        /// For people: `refs/heads/main (1a2b3c4)`.
        public String title() {
            String shortened = commit.substring(0, SHORT);
            return commit.startsWith(name) ? shortened : name + " (" + shortened + ")";
        }
    }
}
