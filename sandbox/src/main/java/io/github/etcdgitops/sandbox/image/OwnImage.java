package io.github.etcdgitops.sandbox.image;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// etcd-gitops as this checkout has it: its jar with the libraries beside it, and the JVM that the sandbox
/// itself runs on.
///
/// `repository` is the end of the references that mean it, of one part or more; `folder` is for what has to be
/// made for it.
public record OwnImage(String repository, Path jar, Path folder) {
    public static final String REPOSITORY = "etcd-gitops";

    private static final String RUNTIME = "/jre";
    private static final String APPLICATION = "/app";
    private static final String AGENT = "/agent";

    public OwnImage {
        folder = folder.toAbsolutePath();
    }

    /// The jar that the build of this checkout makes, beside the sandbox's own build.
    public static OwnImage ofCheckout(String repository, Path folder) {
        try {
            Path code = Path.of(OwnImage.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return new OwnImage(
                    repository,
                    code.resolve("../../../reconciler/target/etcd-gitops.jar").normalize(),
                    folder);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Whatever its registry, tag and digest.
    boolean isMeantBy(String reference) {
        String name = reference.replaceFirst("@.*", "");
        int tag = name.indexOf(':', name.lastIndexOf('/') + 1);
        String said = tag < 0 ? name : name.substring(0, tag);
        return said.equals(repository) || said.endsWith("/" + repository);
    }

    Image image() {
        if (!Files.isRegularFile(jar)) {
            throw new ImageUnavailable("etcd-gitops is not built: there is no " + jar
                    + ". Run ./etcd-gitops version in the checkout, which builds it");
        }
        Path runtime = Path.of(System.getProperty("java.home"));
        var layers = new ArrayList<Image.Layer>();
        layers.add(new Image.Layer(runtime, RUNTIME));
        layers.add(new Image.Layer(jar.resolveSibling("").toAbsolutePath(), APPLICATION));
        try {
            layers.add(new Image.Layer(OwnAddress.write(folder), AGENT));
            Path settings = runtime.resolve("conf/security/java.security").toRealPath();
            if (!settings.startsWith(runtime.toRealPath())) {
                // Distributions keep them in /etc, which a container has to itself.
                Path place = settings.resolveSibling("").toAbsolutePath().normalize();
                layers.add(new Image.Layer(place, place.toString()));
            }
        } catch (IOException e) {
            throw new ImageUnavailable("etcd-gitops cannot be laid out: " + e);
        }
        return new Image(
                layers,
                List.of(
                        RUNTIME + "/bin/java",
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-Xmx256m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dstdout.encoding=UTF-8",
                        "-Dstderr.encoding=UTF-8",
                        "-javaagent:" + AGENT + "/" + OwnAddress.JAR + "=0.0.0.0",
                        "-jar",
                        APPLICATION + "/" + jar.getFileName()));
    }
}
