/// etcd's users and roles: enabled, kept as the documents ask, disabled. Pure.
@NullMarked
package io.github.etcdgitops.ring.auth;

import org.jspecify.annotations.NullMarked;
