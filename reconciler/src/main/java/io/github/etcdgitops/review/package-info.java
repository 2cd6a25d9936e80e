/// What is kept up to date in a pull request: one comment and one status for each context. Through the port alone, the
/// same for every forge.
@NullMarked
package io.github.etcdgitops.review;

import org.jspecify.annotations.NullMarked;
