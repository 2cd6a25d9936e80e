/// The answers of one etcd member.
@NullMarked
package io.github.etcdgitops.state.member;

import org.jspecify.annotations.NullMarked;
