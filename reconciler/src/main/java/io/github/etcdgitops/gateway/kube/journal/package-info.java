/// The journal and the record of tries as text in a ConfigMap, written and read back.
@NullMarked
package io.github.etcdgitops.gateway.kube.journal;

import org.jspecify.annotations.NullMarked;
