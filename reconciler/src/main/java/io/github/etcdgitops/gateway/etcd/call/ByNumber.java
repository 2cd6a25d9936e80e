package io.github.etcdgitops.gateway.etcd.call;

import com.google.protobuf.UnknownFieldSet;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/// Messages of calls that jetcd does not know: their fields have numbers only.
public record ByNumber() implements MethodDescriptor.Marshaller<UnknownFieldSet> {
    /// `name` is the full one, as in `etcdserverpb.Auth/AuthStatus`.
    public static MethodDescriptor<UnknownFieldSet, UnknownFieldSet> method(String name) {
        return MethodDescriptor.<UnknownFieldSet, UnknownFieldSet>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(name)
                .setRequestMarshaller(new ByNumber())
                .setResponseMarshaller(new ByNumber())
                .build();
    }

    @Override
    public InputStream stream(UnknownFieldSet message) {
        return message.toByteString().newInput();
    }

    @Override
    public UnknownFieldSet parse(InputStream stream) {
        try {
            return UnknownFieldSet.parseFrom(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
