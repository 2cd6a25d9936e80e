/// Users, roles and the keys that they may read and write, as documents ask for them. Pure.
@NullMarked
package io.github.etcdgitops.spec.auth;

import org.jspecify.annotations.NullMarked;
