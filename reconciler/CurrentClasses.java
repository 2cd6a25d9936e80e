import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Rewrites classes that are in the format of Java 5 or older in the format of Java 8, in each jar of a folder. Their
/// code stays the same. The JVM takes no class of the old formats into a cache, and no class that extends one. Every
/// other file of such a jar stays as it is. The same jars and JDK give the same bytes.
///
/// `java reconciler/CurrentClasses.java FOLDER`
final class CurrentClasses {
    private static final int MAJOR_VERSION = 6;
    private static final ClassFileVersion JAVA_8 = ClassFileVersion.of(ClassFile.JAVA_8_VERSION, 0);
    private static final LocalDateTime ALWAYS = LocalDateTime.of(2000, 1, 1, 0, 0);

    private final JarFile jar;
    private final ClassFile format;

    private CurrentClasses(JarFile jar) {
        this.jar = jar;
        this.format = ClassFile.of(
                StackMapsOption.GENERATE_STACK_MAPS,
                ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(this::resource)
                        .orElse(ClassHierarchyResolver.defaultResolver())));
    }

    public static void main(String[] arguments) throws IOException {
        for (String each : arguments) {
            try (var jars = Files.newDirectoryStream(Path.of(each), "*.jar")) {
                for (Path jar : jars) {
                    replace(jar);
                }
            }
        }
    }

    /// The new jar is another file: the old one may have further links.
    private static void replace(Path jar) throws IOException {
        try (var old = new JarFile(jar.toFile())) {
            var classes = new CurrentClasses(old);
            if (classes.anyOld()) {
                Path current = jar.resolveSibling(jar.getFileName() + ".new");
                classes.write(current);
                Files.move(current, jar, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /// The first class tells: a jar is compiled for one version, but for what `META-INF` has for others.
    private boolean anyOld() throws IOException {
        var first = jar.stream()
                .filter(entry -> entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/"))
                .findFirst();
        return first.isPresent() && isOld(content(first.get()));
    }

    private void write(Path target) throws IOException {
        try (var out = new ZipOutputStream(Files.newOutputStream(target))) {
            for (var entry : Collections.list(jar.entries())) {
                byte[] content = content(entry);
                var written = new ZipEntry(entry.getName());
                written.setTimeLocal(ALWAYS);
                out.putNextEntry(written);
                out.write(entry.getName().endsWith(".class") && isOld(content) ? current(content) : content);
                out.closeEntry();
            }
        }
    }

    private byte[] current(byte[] old) {
        ClassTransform version = (builder, element) ->
                builder.with(element instanceof ClassFileVersion ? JAVA_8 : element);
        // Code is only given its stack maps where it is written anew.
        var code = ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL);
        return format.transformClass(format.parse(old), version.andThen(code));
    }

    private static boolean isOld(byte[] content) {
        return ByteBuffer.wrap(content).getShort(MAJOR_VERSION) <= ClassFile.JAVA_5_VERSION;
    }

    private InputStream resource(ClassDesc type) {
        String descriptor = type.descriptorString();
        var entry = jar.getEntry(descriptor.substring(1, descriptor.length() - 1) + ".class");
        try {
            return entry == null ? null : jar.getInputStream(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] content(ZipEntry entry) throws IOException {
        try (var in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }
}
