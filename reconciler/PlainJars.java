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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Rewrites the jars of a folder of which the JVM archives no class, and prints their names.
///
/// - A signed jar loses its signature. At each start the JVM also checks what it loads from one: a fifth of the
///   processor time of a short run. The licence and every other file stay.
/// - With `--current`, classes in the format of Java 5 or older get the format of Java 8; their code stays the same.
///   The JVM takes no class of the old formats into a cache, and no class that extends one.
///
/// The same jars and JDK give the same bytes.
///
/// `java reconciler/PlainJars.java [--current] FOLDER`
final class PlainJars {
    private static final Pattern SIGNATURE = Pattern.compile("META-INF/[^/]+\\.(SF|RSA|DSA|EC)");
    private static final int MAJOR_VERSION = 6;
    private static final ClassFileVersion JAVA_8 = ClassFileVersion.of(ClassFile.JAVA_8_VERSION, 0);
    private static final LocalDateTime ALWAYS = LocalDateTime.of(2000, 1, 1, 0, 0);

    private final JarFile jar;
    private final ClassFile format;
    private final boolean signed;
    private final boolean old;

    private PlainJars(JarFile jar, boolean current) throws IOException {
        this.jar = jar;
        this.format = ClassFile.of(
                StackMapsOption.GENERATE_STACK_MAPS,
                ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(this::resource)
                        .orElse(ClassHierarchyResolver.defaultResolver())));
        this.signed = jar.stream()
                .anyMatch(entry -> SIGNATURE.matcher(entry.getName()).matches());
        this.old = current && anyOld();
    }

    public static void main(String[] arguments) throws IOException {
        boolean current = arguments.length > 1 && arguments[0].equals("--current");
        List<Path> jars;
        try (Stream<Path> files = Files.list(Path.of(arguments[arguments.length - 1]))) {
            jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
        jars.parallelStream()
                .filter(jar -> replaced(jar, current))
                .toList()
                .forEach(jar -> System.out.println(jar.getFileName()));
    }

    /// The new jar is another file: the old one may have further links.
    private static boolean replaced(Path file, boolean current) {
        // Unchecked: nothing asks for the signatures that go.
        try (var jar = new JarFile(file.toFile(), false)) {
            var plain = new PlainJars(jar, current);
            if (plain.signed || plain.old) {
                Path made = file.resolveSibling(file.getFileName() + ".new");
                plain.write(made);
                Files.move(made, file, StandardCopyOption.REPLACE_EXISTING);
            }
            return plain.signed || plain.old;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
                if (SIGNATURE.matcher(entry.getName()).matches()) {
                    continue;
                }
                var written = new ZipEntry(entry.getName());
                written.setTimeLocal(ALWAYS);
                out.putNextEntry(written);
                out.write(plain(entry.getName(), content(entry)));
                out.closeEntry();
            }
        }
    }

    private byte[] plain(String name, byte[] content) {
        if (signed && name.equals(JarFile.MANIFEST_NAME)) {
            return firstSection(content);
        }
        return old && name.endsWith(".class") && isOld(content) ? current(content) : content;
    }

    /// Without the digests of single files.
    private static byte[] firstSection(byte[] manifest) {
        var lines = new ArrayList<String>();
        new String(manifest, StandardCharsets.UTF_8).lines().takeWhile(line -> !line.isEmpty()).forEach(lines::add);
        return (String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.UTF_8);
    }

    private byte[] current(byte[] content) {
        ClassTransform version = (builder, element) ->
                builder.with(element instanceof ClassFileVersion ? JAVA_8 : element);
        // Code is only given its stack maps where it is written anew.
        var code = ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL);
        return format.transformClass(format.parse(content), version.andThen(code));
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
