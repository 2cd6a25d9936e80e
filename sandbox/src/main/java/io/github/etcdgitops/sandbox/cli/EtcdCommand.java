package io.github.etcdgitops.sandbox.cli;

import io.github.etcdgitops.sandbox.etcd.EtcdReleases;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "etcd",
        description = "Fetches a version of etcd, if it is not there yet, and prints the folder of its binaries.",
        mixinStandardHelpOptions = true)
final class EtcdCommand implements Callable<Integer> {
    @Parameters(paramLabel = "VERSION", description = "Such as 3.5.16.")
    private String version = "";

    @Override
    public Integer call() throws InterruptedException {
        System.out.println(
                EtcdReleases.of(System.getenv()).folder(version, line -> System.err.println("sandbox: " + line)));
        return 0;
    }
}
