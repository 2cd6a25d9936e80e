/// The objects of the sandbox's Kubernetes: kept in memory, with what an API server does to them. No HTTP, no
/// processes.
@NullMarked
package io.github.etcdgitops.sandbox.objects;

import org.jspecify.annotations.NullMarked;
