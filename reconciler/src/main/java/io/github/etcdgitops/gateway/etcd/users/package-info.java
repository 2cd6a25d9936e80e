/// etcd's calls about users and roles, on a channel, with its refusals as values.
@NullMarked
package io.github.etcdgitops.gateway.etcd.users;

import org.jspecify.annotations.NullMarked;
