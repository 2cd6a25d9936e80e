package io.github.etcdgitops;

public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.out.println("etcd-gitops");
    }
}
