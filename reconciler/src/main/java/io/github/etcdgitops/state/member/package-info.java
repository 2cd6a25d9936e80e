/// What one member of etcd answers.
@NullMarked
package io.github.etcdgitops.state.member;

import org.jspecify.annotations.NullMarked;
