/// Reads and writes the journal and the record of attempts as text in a ConfigMap.
@NullMarked
package io.github.etcdgitops.gateway.kube.journal;

import org.jspecify.annotations.NullMarked;
