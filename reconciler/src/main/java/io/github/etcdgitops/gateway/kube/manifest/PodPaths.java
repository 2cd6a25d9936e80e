package io.github.etcdgitops.gateway.kube.manifest;

/// Paths in a member's pod.
public final class PodPaths {
    static final String DATA = "data";
    static final String ETCD = "/usr/local/bin/etcd";
    static final String ETCDCTL = "/usr/local/bin/etcdctl";
    public static final String DATA_PATH = "/var/lib/etcd";

    static final String PEER = "peer";
    static final String SERVER = "server";
    static final String CLIENT = "client";
    static final String TOKEN = "token";
    static final String TOKEN_PATH = "/etc/etcd/token";
    static final String TOKEN_FILE = "key.pem";
    static final String TOKEN_KEY = TOKEN_PATH + "/" + TOKEN_FILE;
    static final String TLS_PATH = "/etc/etcd/tls/";

    private PodPaths() {}

    /// The path of a file from one of the member's Secrets.
    static String tlsFile(String kind, String file) {
        return TLS_PATH + kind + "/" + file;
    }
}
