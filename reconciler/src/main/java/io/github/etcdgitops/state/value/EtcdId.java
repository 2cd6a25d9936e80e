package io.github.etcdgitops.state.value;

/// An etcd member or cluster ID: 64 unsigned bits, printed as etcdctl prints it.
public record EtcdId(long value) implements Comparable<EtcdId> {
    public static EtcdId parse(String hex) {
        return new EtcdId(Long.parseUnsignedLong(hex, 16));
    }

    @Override
    public int compareTo(EtcdId other) {
        return Long.compareUnsigned(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(value, 16);
    }
}
