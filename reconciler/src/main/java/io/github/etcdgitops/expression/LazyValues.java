package io.github.etcdgitops.expression;

/// A map that computes each value on request, one by one: no code iterates over it.
interface LazyValues {}
