package io.github.etcdgitops.trial.auth;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthRoleGrantPermissionRequest;
import io.etcd.jetcd.api.AuthUserAddRequest;
import io.etcd.jetcd.api.AuthUserChangePasswordRequest;
import io.etcd.jetcd.api.AuthUserDeleteRequest;
import io.etcd.jetcd.api.Permission;

/// What somebody changes by hand in a ring with TLS, as root. Who is in no document is named and stays, until the
/// document is exclusive. Who is in one is put back. `root` gets another password.
record HandChanges(RingWithUsers ring, Document document) {
    /// Commits the ring's document with these lines at the end of `auth`, and runs until the ring is so.
    interface Document {
        void brings(String why, String more) throws Exception;
    }

    void live() throws Exception {
        stranger();
        putBack();
        rootsPassword();
    }

    private void stranger() throws Exception {
        ring.root()
                .changes(auth -> auth.userAdd(AuthUserAddRequest.newBuilder()
                        .setName("stranger")
                        .setPassword("known")
                        .build()));
        ring.found("foreign-users");
        ring.bench().tool().demand(0, "reconcile");
        var stranger = UserClient.withPassword(ring.bench(), ring.name(), "stranger", "known");
        stranger.demandSignsIn();
        document.brings("is exclusive", "  exclusive: true\n");
        stranger.demandNoSignIn();
        document.brings("is not exclusive", "");
    }

    private void putBack() throws Exception {
        var root = ring.root();
        root.changes(auth -> auth.roleGrantPermission(AuthRoleGrantPermissionRequest.newBuilder()
                .setName("reader")
                .setPerm(Permission.newBuilder()
                        .setPermType(Permission.Type.READWRITE)
                        .setKey(ByteString.copyFromUtf8("load/"))
                        .setRangeEnd(ByteString.copyFromUtf8("load0")))
                .build()));
        ring.user("report").demandWrites("load/y");
        root.changes(auth -> auth.userDelete(
                AuthUserDeleteRequest.newBuilder().setName("report").build()));
        ring.planned("SyncUsers");
        ring.atRest();
        ring.user("report").demandReads("load/y");
        ring.user("report").demandNoWrite("load/y");
    }

    private void rootsPassword() throws Exception {
        takeRoot(ring);
        ring.found("root-password");
        ring.planned("RotatePasswords");
        ring.atRest();
        ring.root().demandSignsIn();
    }

    /// Somebody gives `root` this password.
    static String takeRoot(RingWithUsers ring) {
        String taken = "taken";
        ring.root()
                .changes(auth -> auth.userChangePassword(AuthUserChangePasswordRequest.newBuilder()
                        .setName("root")
                        .setPassword(taken)
                        .build()));
        return taken;
    }
}
