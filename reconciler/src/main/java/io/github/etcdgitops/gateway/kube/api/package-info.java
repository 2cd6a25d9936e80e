/// HTTP to the API server: calls, answers, paged lists, impersonation, and shared object names.
@NullMarked
package io.github.etcdgitops.gateway.kube.api;

import org.jspecify.annotations.NullMarked;
