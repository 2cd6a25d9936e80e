/// One environment: its branch, its border to other rings, how rings go side by side, and how a run fails.
@NullMarked
package io.github.etcdgitops.pipeline.environment;

import org.jspecify.annotations.NullMarked;
