/// Signatures of commits: who may sign, what a signature proves, and how reports are signed.
@NullMarked
package io.github.etcdgitops.git.signature;

import org.jspecify.annotations.NullMarked;
