package io.github.etcdgitops.gateway.store.codec;

import com.exceptionfactory.jagged.RecipientStanzaReader;
import com.exceptionfactory.jagged.framework.stream.StandardDecryptingChannelFactory;
import com.exceptionfactory.jagged.framework.stream.StandardEncryptingChannelFactory;
import com.exceptionfactory.jagged.x25519.X25519RecipientStanzaReaderFactory;
import com.exceptionfactory.jagged.x25519.X25519RecipientStanzaWriterFactory;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.value.AgeRecipient;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;

/// age, version 1, for an X25519 recipient.
final class Age {
    private static final String DAMAGED = "it is not encrypted with age, or is damaged or truncated";

    private Age() {}

    static OutputStream encrypting(OutputStream sink, String recipient) {
        AgeRecipient.fault(recipient).ifPresent(fault -> {
            throw new GatewayException(Kind.REJECTED, false, "encrypting the object: " + fault);
        });
        try {
            var writer = X25519RecipientStanzaWriterFactory.newRecipientStanzaWriter(recipient);
            var channel = new StandardEncryptingChannelFactory()
                    .newEncryptingChannel(Channels.newChannel(sink), List.of(writer));
            return Channels.newOutputStream(channel);
        } catch (GeneralSecurityException _) {
            throw new GatewayException(
                    Kind.REJECTED, false, "encrypting the object: the recipient is not an X25519 public key");
        } catch (IOException e) {
            throw e.getCause() instanceof GatewayException known ? known : new UncheckedIOException(e);
        }
    }

    static InputStream decrypting(InputStream source, List<String> identities) throws IOException {
        var readers = new ArrayList<RecipientStanzaReader>();
        for (String identity : identities) {
            readers.add(reader(identity));
        }
        try {
            var channel =
                    new StandardDecryptingChannelFactory().newDecryptingChannel(Channels.newChannel(source), readers);
            return new Damage(Channels.newInputStream(channel), DAMAGED);
        } catch (GeneralSecurityException _) {
            throw refused("it was not encrypted for any of these identities");
        }
    }

    private static RecipientStanzaReader reader(String identity) {
        try {
            return X25519RecipientStanzaReaderFactory.newRecipientStanzaReader(identity);
        } catch (GeneralSecurityException | IllegalArgumentException _) {
            // The cause is dropped on purpose: it may quote the key.
            throw refused("a line of the identity file is not an age identity of the form AGE-SECRET-KEY-1…");
        }
    }

    private static GatewayException refused(String why) {
        return new GatewayException(Kind.UNAUTHORIZED, false, "decrypting the object: " + why);
    }
}
