package io.github.etcdgitops.cli.console;

import io.github.etcdgitops.pipeline.environment.RunException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Options that were not given: from the environment, then from a file. Unknown keys are errors, because a
/// misspelt setting would otherwise silently have no effect.
public final class Settings implements IDefaultValueProvider {
    private static final String PREFIX = "ETCD_GITOPS_";

    /// Variables that are not options.
    private static final Set<String> OTHERS = Set.of(
            "CONFIG",
            "GIT_TOKEN",
            "FORGE_TOKEN",
            "FAULT_KILL_AT",
            "TEST_KUBECONFIG",
            "JAVA_OPTS",
            "CREDENTIALS_DIR",
            "PLACES");

    /// Variables that the kubelet adds for a Service that happens to be called etcd-gitops.
    private static final Pattern OF_A_SERVICE = Pattern.compile(PREFIX + "(SERVICE_(HOST|PORT.*)|PORT(_.*)?)");

    /// Variables that may also be in the file, as `places` and `credentials-dir`.
    private static final Set<String> SHARED = Set.of("PLACES", "CREDENTIALS_DIR");

    private static final Pattern NAME = Pattern.compile("[a-z]+(-[a-z0-9]+)*");

    private final Map<String, String> environment;
    private final Properties file;

    private Settings(Map<String, String> environment, Properties file) {
        this.environment = environment;
        this.file = file;
    }

    /// `named` has the command that runs. `all` is asked only if it does not have an option that is set.
    public static Settings of(Map<String, String> environment, CommandLine named, Supplier<CommandLine> all) {
        var file = read(environment.getOrDefault(PREFIX + "CONFIG", ""));
        var settings = new Settings(environment, file);
        var own = options(named);
        if (!settings.unknown(own).isEmpty()) {
            var known = options(all.get());
            settings.unknown(known).stream().findFirst().ifPresent(what -> {
                throw new RunException(
                        RunException.Kind.CONFIGURATION,
                        what + " names no option; options are " + String.join(", ", known));
            });
        }
        return settings;
    }

    /// What is set and is none of these options.
    private List<String> unknown(Set<String> known) {
        var unknown = new ArrayList<String>();
        for (String variable : environment.keySet()) {
            if (variable.startsWith(PREFIX)
                    && !OF_A_SERVICE.matcher(variable).matches()
                    && !OTHERS.contains(variable.substring(PREFIX.length()))
                    && !known.contains(key(variable.substring(PREFIX.length())))) {
                unknown.add("the environment variable " + variable);
            }
        }
        for (String key : file.stringPropertyNames()) {
            if (!known.contains(key)) {
                unknown.add(
                        "the setting" + shown(key, file.getProperty(key, "")) + " in the file of ETCD_GITOPS_CONFIG");
            }
        }
        return unknown;
    }

    /// The environment, with the settings of the file that are not options.
    public static Map<String, String> completed(Map<String, String> environment) {
        var completed = new HashMap<>(environment);
        var file = read(environment.getOrDefault(PREFIX + "CONFIG", ""));
        for (String name : SHARED) {
            Optional.ofNullable(file.getProperty(key(name)))
                    .ifPresent(value -> completed.putIfAbsent(PREFIX + name, value));
        }
        return completed;
    }

    private static String key(String variable) {
        return variable.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Names of the options of all subcommands, and what the file may have besides.
    private static Set<String> options(CommandLine commands) {
        var names = new TreeSet<String>();
        SHARED.forEach(name -> names.add(key(name)));
        commands.getSubcommands().values().forEach(command -> {
            command.getCommandSpec().options().forEach(option -> names.add(name(option)));
            names.addAll(options(command));
        });
        return names;
    }

    private static String name(OptionSpec option) {
        return option.longestName().replaceFirst("^--", "");
    }

    /// A line that contains only a token is also read as a key, so it is not shown.
    private static String shown(String key, String value) {
        boolean named = NAME.matcher(key).matches() && !value.isEmpty();
        return named ? " " + key : " in a line that is not shown";
    }

    private static Properties read(String path) {
        var properties = new Properties();
        if (path.isEmpty()) {
            return properties;
        }
        try (Reader reader = Files.newBufferedReader(Path.of(path))) {
            properties.load(reader);
            return properties;
        } catch (IOException | IllegalArgumentException _) {
            throw new RunException(RunException.Kind.CONFIGURATION, "cannot read the settings in " + path);
        }
    }

    @Override
    public @Nullable String defaultValue(ArgSpec arg) {
        if (!(arg instanceof OptionSpec option)) {
            return null;
        }
        String name = name(option);
        String variable = PREFIX + name.toUpperCase(Locale.ROOT).replace('-', '_');
        String given = environment.get(variable);
        return given != null ? given : file.getProperty(name);
    }
}
