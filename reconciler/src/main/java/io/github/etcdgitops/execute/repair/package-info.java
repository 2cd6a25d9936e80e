/// Effects: inspecting, restarting and replacing members.
@NullMarked
package io.github.etcdgitops.execute.repair;

import org.jspecify.annotations.NullMarked;
