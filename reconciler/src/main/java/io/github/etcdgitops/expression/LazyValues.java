package io.github.etcdgitops.expression;

/// A map that computes each value on request: it cannot be iterated.
interface LazyValues {}
