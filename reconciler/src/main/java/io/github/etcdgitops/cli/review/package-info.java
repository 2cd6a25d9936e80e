/// `review`: the plan in a pull request.
@NullMarked
package io.github.etcdgitops.cli.review;

import org.jspecify.annotations.NullMarked;
