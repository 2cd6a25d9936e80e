/// `backup`, `restore` and `drill`.
@NullMarked
package io.github.etcdgitops.cli.backup;

import org.jspecify.annotations.NullMarked;
