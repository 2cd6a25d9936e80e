/// Credentials of stores: keys, accounts, trusted CAs, read from mounted folders.
@NullMarked
package io.github.etcdgitops.gateway.store.credential;

import org.jspecify.annotations.NullMarked;
