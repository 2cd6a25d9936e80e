/// SHA-256, for names and for the verification of bytes. Pure.
@NullMarked
package io.github.etcdgitops.digest;

import org.jspecify.annotations.NullMarked;
