/// The formats of a stored object, zstd and age. The only package that uses their libraries.
@NullMarked
package io.github.etcdgitops.gateway.store.codec;

import org.jspecify.annotations.NullMarked;
