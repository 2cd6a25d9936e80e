/// A ring as its document asks for it, the fleet's defaults and tenants, and the rules that select rings.
@NullMarked
package io.github.etcdgitops.spec.ring;

import org.jspecify.annotations.NullMarked;
