/// The sequence of a run: git, documents, policy, observe, plan, gate, execute, report.
@NullMarked
package io.github.etcdgitops.pipeline;

import org.jspecify.annotations.NullMarked;
