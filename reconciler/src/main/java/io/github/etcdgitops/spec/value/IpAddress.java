package io.github.etcdgitops.spec.value;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The kind of a store's address, or of the address that its name resolves to.
public final class IpAddress {
    private static final int V4 = 4;

    /// Networks in which clouds serve the machine's credentials, and similar addresses elsewhere: AWS
    /// (IPv6), Alibaba Cloud, Oracle Cloud, Azure's platform.
    private static final List<byte[]> METADATA = List.of(
            octets(100, 100, 100, 200),
            octets(192, 0, 0, 192),
            octets(168, 63, 129, 16),
            octets(0xfd, 0, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0x54));

    private final byte[] bytes;

    /// Four bytes or sixteen, in network order.
    public IpAddress(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    public boolean loopback() {
        return v4() ? at(0) == 127 : isAllZeroBut(1);
    }

    /// Addresses of metadata services and of neighbours on the same link; no store has one.
    public boolean linkLocal() {
        return embedded()
                .map(IpAddress::linkLocal)
                .orElseGet(() -> METADATA.stream().anyMatch(address -> Arrays.equals(address, bytes))
                        || (v4() ? at(0) == 169 && at(1) == 254 : at(0) == 0xfe && (at(1) & 0xc0) == 0x80));
    }

    /// Addresses that no server has: unspecified, multicast, broadcast, reserved.
    public boolean noServer() {
        return embedded()
                .map(IpAddress::noServer)
                .orElseGet(() -> v4() ? at(0) == 0 || at(0) >= 224 : at(0) == 0xff || isAllZeroBut(0));
    }

    /// The IPv4 address inside an IPv6 one (mapped, compatible, NAT64, 6to4): packets go there.
    private Optional<IpAddress> embedded() {
        if (v4()) {
            return Optional.empty();
        }
        if (at(0) == 0x20 && at(1) == 0x02) {
            return Optional.of(part(2));
        }
        boolean nat64 = at(0) == 0 && at(1) == 0x64 && at(2) == 0xff && at(3) == 0x9b;
        boolean mapped = zero(0, 10) && at(10) == 0xff && at(11) == 0xff;
        boolean compatible = zero(0, 12) && !zero(12, 15);
        return nat64 || mapped || compatible ? Optional.of(part(12)) : Optional.empty();
    }

    private IpAddress part(int from) {
        return new IpAddress(Arrays.copyOfRange(bytes, from, from + V4));
    }

    private boolean v4() {
        return bytes.length == V4;
    }

    private int at(int index) {
        return Byte.toUnsignedInt(bytes[index]);
    }

    private boolean zero(int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private boolean isAllZeroBut(int last) {
        return zero(0, bytes.length - 1) && at(bytes.length - 1) == last;
    }

    private static byte[] octets(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
