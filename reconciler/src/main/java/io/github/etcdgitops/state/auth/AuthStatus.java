package io.github.etcdgitops.state.auth;

/// `revision` is higher after every change of users, roles, permissions and passwords, and after authentication
/// was disabled. Enabling it leaves the revision as it is.
public record AuthStatus(boolean enabled, long revision) {}
