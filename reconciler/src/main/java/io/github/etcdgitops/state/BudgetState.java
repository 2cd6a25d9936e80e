package io.github.etcdgitops.state;

/// `settled` means that the controller has seen the latest generation and `disruptionsAllowed` belongs
/// to it.
public record BudgetState(int minAvailable, int disruptionsAllowed, boolean settled) {}
