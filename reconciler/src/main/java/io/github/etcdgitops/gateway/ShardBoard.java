package io.github.etcdgitops.gateway;

import java.util.Optional;

/// Where the processes of a sharded run leave word for each other. One place for each process, written over in the next
/// run: nothing piles up, and nothing need be deleted. Throws [GatewayException].
public interface ShardBoard {
    /// `run` tells apart what is of this run; `text` is at most some hundred kilobytes.
    record Post(String run, String text) {}

    void post(String environment, int index, Post post);

    Optional<Post> read(String environment, int index);
}
