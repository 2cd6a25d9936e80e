/// What makes pods of StatefulSets and volumes of claims: each decides on plain values what to do next.
@NullMarked
package io.github.etcdgitops.sandbox.controller;

import org.jspecify.annotations.NullMarked;
