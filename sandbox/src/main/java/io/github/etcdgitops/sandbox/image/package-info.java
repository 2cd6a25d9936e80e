/// What is in the images that the machines run: etcd's binaries, and etcd-gitops itself.
@NullMarked
package io.github.etcdgitops.sandbox.image;

import org.jspecify.annotations.NullMarked;
