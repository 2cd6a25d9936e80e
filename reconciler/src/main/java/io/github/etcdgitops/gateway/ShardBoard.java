package io.github.etcdgitops.gateway;

import java.util.Optional;

/// Where the processes of a sharded run exchange messages. Each process has one place, which the next run
/// overwrites: nothing accumulates, and nothing needs deletion. Throws [GatewayException].
public interface ShardBoard {
    /// `run` identifies the run of a message; `text` is at most some hundred kilobytes.
    record Post(String run, String text) {}

    void post(String environment, int index, Post post);

    Optional<Post> read(String environment, int index);
}
