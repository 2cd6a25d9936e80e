/// Restarting all members, one after the other: another version, configuration, template, transport or CA,
/// and the rollback. Pure.
@NullMarked
package io.github.etcdgitops.ring.roll;

import org.jspecify.annotations.NullMarked;
