package io.github.etcdgitops.git.remote;

import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import io.github.etcdgitops.git.tree.SourceTree;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.eclipse.jgit.errors.NotSupportedException;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.internal.JGitText;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.FetchConnection;
import org.eclipse.jgit.transport.FetchResult;
import org.eclipse.jgit.transport.FilterSpec;
import org.eclipse.jgit.transport.PushConnection;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.RemoteRefUpdate;
import org.eclipse.jgit.transport.TagOpt;
import org.eclipse.jgit.transport.TrackingRefUpdate;
import org.eclipse.jgit.transport.Transport;

/// The remote side. Every failure becomes a [GitException].
public final class Remote implements AutoCloseable {
    public static final Duration TRANSFER_LIMIT = Duration.ofMinutes(5);

    private final Connections connections;
    private final TransportFailures failures;
    private boolean leavesOut = true;

    public Remote(RepositoryAddress address, GitAccess access, Path nobodysHome) {
        connections = new Connections(address, access, nobodysHome);
        failures = new TransportFailures(address, access);
    }

    /// The existing refs with these names; all refs, when no names are given.
    public SortedMap<String, ObjectId> list(Repository local, Collection<String> names) {
        return twice(() -> listOnce(local, names));
    }

    private SortedMap<String, ObjectId> listOnce(Repository local, Collection<String> names) {
        List<RefSpec> specs = names.stream().map(RefSpec::new).toList();
        var found = new TreeMap<String, ObjectId>();
        try (Transport transport = connections.open(local);
                FetchConnection connection = transport.openFetch(specs)) {
            for (Ref ref : connection.getRefs()) {
                if (ref.getObjectId() != null && (names.isEmpty() || names.contains(ref.getName()))) {
                    found.put(ref.getName(), ref.getObjectId());
                }
            }
        } catch (NotSupportedException | TransportException e) {
            throw failures.explain(e, connections.hostKeyRefused(), false);
        }
        return found;
    }

    /// Fetches into the refs that the specs name. `depth` counts commits; `Constants.INFINITE_DEPTH` takes
    /// all. `prune` drops our refs whose remote ref is gone. Files larger than any document are left out,
    /// where the server supports that: then the cache does not have them.
    public void fetch(Repository local, List<RefSpec> specs, int depth, boolean prune) {
        twice(() -> {
            fetchOnce(local, specs, new Wanted(depth, prune, leavesOut));
            return specs;
        });
    }

    /// The newest commit with all its files.
    public void fetchWhole(Repository local, RefSpec spec) {
        twice(() -> {
            fetchOnce(local, List.of(spec), new Wanted(1, false, false));
            return spec;
        });
    }

    private record Wanted(int depth, boolean prune, boolean leavesOut) {}

    private void fetchOnce(Repository local, List<RefSpec> specs, Wanted wanted) {
        var deadline = Deadline.after(TRANSFER_LIMIT);
        try (Transport transport = connections.open(local)) {
            transport.setTagOpt(TagOpt.NO_TAGS);
            transport.setRemoveDeletedRefs(wanted.prune());
            transport.setDepth(wanted.depth());
            // The server must not send a delta to a file that was left out.
            transport.setFetchThin(false);
            if (wanted.leavesOut()) {
                transport.setFilterSpec(FilterSpec.fromFilterLine("blob:limit=" + (SourceTree.LARGEST_FILE + 1)));
            }
            requireUpdated(transport.fetch(deadline, specs));
        } catch (NotSupportedException | TransportException e) {
            if (wanted.leavesOut() && saysNoFilter(e)) {
                leavesOut = false;
                fetchOnce(local, specs, new Wanted(wanted.depth(), wanted.prune(), false));
                return;
            }
            throw failures.explain(e, connections.hostKeyRefused(), deadline.isCancelled());
        }
    }

    private static boolean saysNoFilter(Throwable failure) {
        return Stream.iterate(failure, t -> t != null, Throwable::getCause)
                .limit(20)
                .anyMatch(t -> String.valueOf(t.getMessage()).contains(JGitText.get().filterRequiresCapability));
    }

    /// A broken connection must not fail a whole run: a read-only call is tried twice. After a push, the
    /// caller must first check its result.
    private static <T> T twice(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (GitException e) {
            if (e.kind() != GitException.Kind.UNREACHABLE
                    || Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return reading.get();
        }
    }

    private static void requireUpdated(FetchResult result) {
        for (TrackingRefUpdate update : result.getTrackingRefUpdates()) {
            switch (update.getResult()) {
                case NEW, FORCED, FAST_FORWARD, NO_CHANGE, RENAMED -> {}
                case NOT_ATTEMPTED,
                        LOCK_FAILURE,
                        REJECTED,
                        REJECTED_CURRENT_BRANCH,
                        REJECTED_MISSING_OBJECT,
                        REJECTED_OTHER_REASON,
                        IO_FAILURE ->
                    throw new GitException(
                            GitException.Kind.CORRUPT, "the Git cache does not take what was fetched into it");
            }
        }
    }

    /// Pushes one commit to one branch, never by force, and only on top of `expected` (the zero id: only
    /// where there is no such branch). Returns the result; a rejection is not an exception.
    public RemoteRefUpdate push(Repository local, String branch, ObjectId commit, ObjectId expected) {
        var deadline = Deadline.after(TRANSFER_LIMIT);
        try (Transport transport = connections.open(local)) {
            var update = new RemoteRefUpdate(local, null, commit, branch, false, null, expected);
            return transport.push(deadline, List.of(update)).getRemoteUpdate(branch);
        } catch (IOException e) {
            throw failures.explain(e, connections.hostKeyRefused(), deadline.isCancelled());
        }
    }

    /// Opens a connection for pushing and pushes nothing: hosts refuse there if we may only read.
    public void offerPush(Repository local) {
        try (Transport transport = connections.open(local);
                PushConnection connection = transport.openPush()) {
            connection.getRefs();
        } catch (NotSupportedException | TransportException e) {
            throw failures.explain(e, connections.hostKeyRefused(), false);
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
