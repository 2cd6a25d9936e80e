package io.github.etcdgitops.expression;

/// A map whose values come into being when they are asked for, one by one: nobody walks through it.
interface LazyValues {}
