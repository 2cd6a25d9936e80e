package io.github.etcdgitops.gateway.store.s3;

/// The size of each part of an upload of unknown length. A store accepts 10,000 parts. The first thousand
/// are small, which covers the 8 GiB that etcd itself advises as its limit; then they grow, so that 10,000
/// parts hold 1 TB.
public record PartSizes(int first, int grownAfter, int growsEvery) {
    public static final PartSizes STANDARD = new PartSizes(8 << 20, 1000, 325);
    static final int MOST = 10_000;

    /// `number` counts from 1.
    int of(int number) {
        return first * (1 + Math.max(0, number - grownAfter) / growsEvery);
    }
}
