package io.github.etcdgitops.spec.value;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// The address of a store, in the single spelling that is compared, listed and connected to. `host` is a
/// lower-case DNS name, a dotted IPv4 address, or an IPv6 address in brackets.
///
/// Spellings that programs read differently (an IPv4 address as one number or in octal, user information, a
/// path, percent signs) are refused and not interpreted: the checked address must be the one that is
/// connected to.
public record StoreEndpoint(boolean tls, String host, int port) {
    /// The form of an endpoint, for messages. An invalid text is not repeated: it may hold a password.
    public static final String EXPECTED = "https://HOST or https://HOST:PORT (or http://), where HOST is a DNS name or"
            + " an IP address and PORT is 1 to 65535, without a user, a path, a query or a fragment";

    private static final int HTTPS = 443;
    private static final int HTTP = 80;
    private static final int HIGHEST_PORT = 65_535;
    private static final int LONGEST_NAME = 253;
    private static final int OCTETS = 4;
    private static final Pattern FORM = Pattern.compile("(?<scheme>(?i:https?))://"
            + "(?<host>\\[(?=[^]]*:)[0-9A-Fa-f:.]{2,45}]|[A-Za-z0-9.-]{1,254})(?::(?<port>[0-9]{1,9}))?/*");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern OCTET = Pattern.compile("0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5]");

    /// The last label of a name that some programs read as a number, and so as an address.
    private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");

    public static Optional<StoreEndpoint> parse(String text) {
        var match = FORM.matcher(text);
        if (!match.matches()) {
            return Optional.empty();
        }
        boolean tls = match.group("scheme").equalsIgnoreCase("https");
        int implied = tls ? HTTPS : HTTP;
        int port =
                Optional.ofNullable(match.group("port")).map(Integer::parseInt).orElse(implied);
        return host(match.group("host").toLowerCase(Locale.ROOT))
                .filter(_ -> port >= 1 && port <= HIGHEST_PORT)
                .map(host -> new StoreEndpoint(tls, host, port));
    }

    private static Optional<String> host(String text) {
        if (text.startsWith("[")) {
            return literal(text.substring(1, text.length() - 1)).map(StoreEndpoint::spelled);
        }
        String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        var labels = List.of(name.split("[.]", -1));
        boolean address = labels.size() == OCTETS
                && labels.stream().allMatch(label -> OCTET.matcher(label).matches());
        boolean named = name.length() <= LONGEST_NAME
                && labels.stream().allMatch(label -> LABEL.matcher(label).matches())
                && !NUMBER.matcher(labels.getLast()).matches();
        return Optional.of(name).filter(_ -> address || named);
    }

    /// Makes no lookup: the text is an address, or the result is empty.
    private static Optional<InetAddress> literal(String text) {
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// An IPv4 address written as an IPv6 one is that IPv4 address.
    private static String spelled(InetAddress address) {
        return address instanceof Inet4Address ? address.getHostAddress() : "[" + address.getHostAddress() + "]";
    }

    /// The canonical spelling of an endpoint; an invalid one is unchanged, and refused elsewhere.
    static String spelled(String endpoint) {
        return parse(endpoint).map(StoreEndpoint::toString).orElse(endpoint);
    }

    /// The address, where the host is one.
    public Optional<IpAddress> address() {
        boolean sixth = host.startsWith("[");
        boolean fourth = Arrays.stream(host.split("[.]", -1))
                .allMatch(label -> OCTET.matcher(label).matches());
        return sixth || fourth
                ? literal(sixth ? host.substring(1, host.length() - 1) : host)
                        .map(InetAddress::getAddress)
                        .map(IpAddress::new)
                : Optional.empty();
    }

    /// This machine, decided by its name or address alone: a DNS lookup would let others decide.
    public boolean loopback() {
        return host.equals("localhost") || address().filter(IpAddress::loopback).isPresent();
    }

    @Override
    public String toString() {
        int implied = tls ? HTTPS : HTTP;
        return (tls ? "https://" : "http://") + host + (port == implied ? "" : ":" + port);
    }
}
