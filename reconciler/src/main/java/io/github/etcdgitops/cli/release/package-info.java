/// The commands about releases of etcd: the catalogue, and the advisories that hit rings.
@NullMarked
package io.github.etcdgitops.cli.release;

import org.jspecify.annotations.NullMarked;
