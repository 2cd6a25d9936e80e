/// SHA-256, which every part names things and proves bytes by. Pure.
@NullMarked
package io.github.etcdgitops.digest;

import org.jspecify.annotations.NullMarked;
