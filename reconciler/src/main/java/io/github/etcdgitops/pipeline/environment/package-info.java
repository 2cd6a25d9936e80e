/// One environment: its branch, its border to other rings, parallel work on rings, and failures of a run.
@NullMarked
package io.github.etcdgitops.pipeline.environment;

import org.jspecify.annotations.NullMarked;
