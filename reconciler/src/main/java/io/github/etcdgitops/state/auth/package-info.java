/// etcd's own users and roles, as they are, and the changes that lead to others. Pure.
@NullMarked
package io.github.etcdgitops.state.auth;

import org.jspecify.annotations.NullMarked;
