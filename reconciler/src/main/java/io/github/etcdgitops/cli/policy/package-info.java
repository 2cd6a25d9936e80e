/// `policy`: list, explain, test and replay policies.
@NullMarked
package io.github.etcdgitops.cli.policy;

import org.jspecify.annotations.NullMarked;
