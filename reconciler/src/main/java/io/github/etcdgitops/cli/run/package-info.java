/// `validate`, `plan`, `apply`, `reconcile` and `serve`.
@NullMarked
package io.github.etcdgitops.cli.run;

import org.jspecify.annotations.NullMarked;
