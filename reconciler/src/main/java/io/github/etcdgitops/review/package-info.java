/// Keeps one comment and one status per context up to date in a pull request. It uses only the port, the
/// same for every forge.
@NullMarked
package io.github.etcdgitops.review;

import org.jspecify.annotations.NullMarked;
