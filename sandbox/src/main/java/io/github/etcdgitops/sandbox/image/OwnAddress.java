package io.github.etcdgitops.sandbox.image;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.ProtectionDomain;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/// Makes "every address" the pod's own one for a JVM in a pod, as is done in etcd's flags and files: pods share
/// this machine's network, and whoever listened everywhere would take the port from all others, and be reached
/// from outside.
///
/// A Java agent of one class; it runs in the pod's JVM, and nothing of the sandbox does beside it.
public final class OwnAddress implements ClassFileTransformer, CodeTransform {
    static final String JAR = "own-address.jar";

    private static final ClassDesc SOCKET_ADDRESS =
            InetSocketAddress.class.describeConstable().orElseThrow();
    private static final ClassDesc ADDRESS =
            InetAddress.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc IS = MethodTypeDesc.of(ConstantDescs.CD_boolean);
    private static final MethodTypeDesc NEW =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String, ConstantDescs.CD_int);
    private static final String SOCKET = "java/net/ServerSocket";
    private static final int ENDPOINT = 1;

    private final String address;

    private OwnAddress(String address) {
        this.address = address;
    }

    /// The JVM calls it before everything else.
    public static void premain(String address, Instrumentation jvm) throws UnmodifiableClassException {
        // Loaded before anybody is asked about it.
        Class<?> socket = ServerSocket.class;
        jvm.addTransformer(new OwnAddress(address), true);
        jvm.retransformClasses(socket);
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable Module module,
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> before,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        if (!SOCKET.equals(name)) {
            return null;
        }
        var file = ClassFile.of();
        return file.transformClass(
                file.parse(bytes),
                ClassTransform.transformingMethodBodies(
                        method -> method.methodName().equalsString("bind")
                                && method.methodType().equalsString("(Ljava/net/SocketAddress;I)V"),
                        this));
    }

    /// At the beginning of `bind(SocketAddress endpoint, int backlog)`: where `endpoint` is any address, it
    /// becomes the pod's own.
    @Override
    public void atStart(CodeBuilder code) {
        Label asItIs = code.newLabel();
        code.aload(ENDPOINT).instanceOf(SOCKET_ADDRESS).ifeq(asItIs);
        endpoint(code).invokevirtual(SOCKET_ADDRESS, "isUnresolved", IS).ifne(asItIs);
        endpoint(code)
                .invokevirtual(SOCKET_ADDRESS, "getAddress", MethodTypeDesc.of(ADDRESS))
                .invokevirtual(ADDRESS, "isAnyLocalAddress", IS)
                .ifeq(asItIs);
        code.new_(SOCKET_ADDRESS).dup().ldc(address);
        endpoint(code)
                .invokevirtual(SOCKET_ADDRESS, "getPort", MethodTypeDesc.of(ConstantDescs.CD_int))
                .invokespecial(SOCKET_ADDRESS, ConstantDescs.INIT_NAME, NEW)
                .astore(ENDPOINT)
                .labelBinding(asItIs);
    }

    private static CodeBuilder endpoint(CodeBuilder code) {
        return code.aload(ENDPOINT).checkcast(SOCKET_ADDRESS);
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
        code.with(element);
    }

    /// Returns the folder that the agent's jar is in now, and nothing else.
    static Path write(Path folder) throws IOException {
        Files.createDirectories(folder);
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", OwnAddress.class.getName());
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        Path next = Files.createTempFile(folder, ".next", "");
        String code = OwnAddress.class.getName().replace('.', '/') + ".class";
        try (var jar = new JarOutputStream(Files.newOutputStream(next), manifest);
                InputStream in = OwnAddress.class.getClassLoader().getResourceAsStream(code)) {
            if (in == null) {
                throw new IOException("the sandbox does not find its own class " + code);
            }
            jar.putNextEntry(new JarEntry(code));
            in.transferTo(jar);
        }
        Files.move(next, folder.resolve(JAR), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return folder;
    }
}
