/// A backup store in Google Cloud Storage, by its JSON API.
@NullMarked
package io.github.etcdgitops.gateway.store.gcs;

import org.jspecify.annotations.NullMarked;
