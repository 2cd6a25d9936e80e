/// HTTP to the API server: calls, answers, lists in pages, impersonation, and the words of objects that all
/// of it shares.
@NullMarked
package io.github.etcdgitops.gateway.kube.api;

import org.jspecify.annotations.NullMarked;
