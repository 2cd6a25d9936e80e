package io.github.etcdgitops.gateway.kube.manifest;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ForeignVolume;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// One member's file for `etcd --config-file`. With it etcd ignores all flags and its environment, so
/// everything is in here.
///
/// etcd also silently ignores unknown keys: a key is written only for versions that have it.
public final class MemberConfigFile {
    private static final String STATE = "initial-cluster-state";
    private static final String CLUSTER = "initial-cluster";
    private static final String TOKEN = "initial-cluster-token";
    private static final String DATA_DIR = "data-dir";
    private static final Pattern MEMBER_NAME = Pattern.compile("(.+)-(0|[1-9]\\d{0,3})");

    private static final Pattern INCARNATION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    /// The data directory of an adopted member: deeper, or the root of the volume, which is `.`. Such a
    /// member has its data, so its file is always sealed.
    private static final Pattern TAKEN_OVER =
            Pattern.compile("[.]|[A-Za-z0-9_][A-Za-z0-9._-]{0,62}(/[A-Za-z0-9_][A-Za-z0-9._-]{0,62}){0,5}");

    /// In characters: many times the size of any member's file.
    private static final int LONGEST = 1 << 16;

    private static final String HEAD =
            "# Written by etcd-gitops. etcd starts with exactly this; flags and ETCD_* variables are ignored.\n";

    private static final String SCALAR = "(?:\"[ !#-\\[\\]-~]*\"|true|false|[0-9]{1,18})";
    private static final String LIST = "\\[" + SCALAR + "(?:, " + SCALAR + "){0,20}\\]";
    private static final String MAP = "\\{[a-z-]+: " + SCALAR + "(?:, [a-z-]+: " + SCALAR + "){0,20}\\}";
    /// A line as [#write] makes it: a key with a text, a truth value, or something that is not read.
    private static final Pattern LINE = Pattern.compile(
            "([a-z][a-z-]*): (?:\"([ !#-\\[\\]-~]*)\"|(true|false)|-?[0-9]{1,18}|" + MAP + "|" + LIST + ")");

    private MemberConfigFile() {}

    public static String key(ClusterRef ref, int ordinal) {
        return ref.podName(ordinal) + ".yaml";
    }

    public static String write(ClusterRef ref, int ordinal, MemberConfig config, MemberSettings applied) {
        if (!isFolder(config.incarnation(), config.sealed())) {
            throw new IllegalArgumentException("not a name for a data directory: " + config.incarnation());
        }
        String name = ref.podName(ordinal);
        String self = String.join(",", applied.transport().peerUrls(ref, ordinal));
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("name", name);
        file.put(DATA_DIR, directory(config.incarnation()));
        MemberTransport.put(file, ref.memberHost(ordinal), applied.transport());
        switch (config) {
            case MemberConfig.Founding founding ->
                putStart(file, own(founding.peers(), ordinal), "new", ref, founding.peers());
            case MemberConfig.Joining joining ->
                putStart(file, own(joining.peers(), ordinal), "existing", ref, others(joining.peers()));
            case MemberConfig.Sealed _, MemberConfig.Unchecked _ ->
                putStart(file, self, "existing", ref, new TreeMap<>(Map.of(ordinal, self)));
        }
        if (config instanceof MemberConfig.Founding founding) {
            file.put(TOKEN, founding.token());
        }
        file.put("strict-reconfig-check", true);
        putVersioned(file, applied.version());
        EtcdFeatures.put(file, applied, !(config instanceof MemberConfig.Unchecked));
        EtcdOptions.put(file, applied);
        return HEAD
                + file.entrySet().stream()
                        .map(e -> e.getKey() + ": " + scalar(e.getValue()) + "\n")
                        .collect(Collectors.joining());
    }

    private static boolean isFolder(String incarnation, boolean sealed) {
        return INCARNATION.matcher(incarnation).matches()
                || (sealed && TAKEN_OVER.matcher(incarnation).matches());
    }

    private static String directory(String incarnation) {
        return incarnation.equals(ForeignVolume.ROOT) ? PodPaths.DATA_PATH : PodPaths.DATA_PATH + "/" + incarnation;
    }

    /// Empty when the text is not our file of a member: then nothing may be concluded from it.
    public static Optional<MemberConfig> read(String yaml) {
        if (yaml.length() > LONGEST) {
            return Optional.empty();
        }
        return written(yaml)
                .<Object>map(file -> file)
                .or(() -> parsed(yaml))
                .flatMap(file -> file instanceof Map<?, ?> map ? config(map) : Optional.empty());
    }

    private static Optional<Object> parsed(String yaml) {
        try {
            return Optional.ofNullable(new Load(LoadSettings.builder().build()).loadFromString(yaml));
        } catch (YamlEngineException | StackOverflowError _) {
            return Optional.empty();
        }
    }

    /// The keys of a file as [#write] makes it; empty for any other file. A run reads the file of each member, and
    /// the YAML parser needs many times as long.
    private static Optional<Map<String, Object>> written(String yaml) {
        if (!yaml.startsWith(HEAD)) {
            return Optional.empty();
        }
        var file = new LinkedHashMap<String, Object>();
        for (String line : yaml.substring(HEAD.length()).split("\n")) {
            var match = LINE.matcher(line);
            if (!match.matches()) {
                return Optional.empty();
            }
            String text = match.group(2);
            String truth = match.group(3);
            Object value = text != null ? text : truth != null ? Boolean.valueOf(truth) : Map.of();
            if (file.put(match.group(1), value) != null) {
                return Optional.empty();
            }
        }
        return Optional.of(file);
    }

    private static void putStart(
            Map<String, Object> file, String self, String state, ClusterRef ref, SortedMap<Integer, String> peers) {
        file.put("initial-advertise-peer-urls", self);
        file.put(STATE, state);
        file.put(
                CLUSTER,
                peers.entrySet().stream()
                        .flatMap(
                                e -> Stream.of(e.getValue().split(",")).map(url -> ref.podName(e.getKey()) + "=" + url))
                        .collect(Collectors.joining(",")));
    }

    /// With no other peers, a joining member's file would be a sealed one.
    private static SortedMap<Integer, String> others(SortedMap<Integer, String> peers) {
        if (peers.size() < 2) {
            throw new IllegalArgumentException("a joining member needs peers, and none is named");
        }
        return peers;
    }

    private static String own(SortedMap<Integer, String> peers, int ordinal) {
        String url = peers.get(ordinal);
        if (url == null) {
            throw new IllegalArgumentException(
                    "member " + ordinal + " is not among the peers with which it should start");
        }
        return url;
    }

    /// With a file, 3.4 switches its HTTP gateway off unless the file enables it.
    private static void putVersioned(Map<String, Object> file, EtcdVersion version) {
        if (version.atLeast(3, 4, 0)) {
            file.put("logger", "zap");
            file.put("enable-grpc-gateway", true);
        }
        if (version.atLeast(3, 4, 0) && !version.atLeast(3, 5, 0)) {
            // The default from 3.5 on. Without it, a restarted member that is slow to find the others
            // starts an election, and the ring briefly has no leader although nothing is wrong.
            file.put("pre-vote", true);
        }
    }

    private static String scalar(Object value) {
        return switch (value) {
            case String text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .map(e -> e.getKey() + ": " + scalar(e.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
            case List<?> list ->
                list.stream().map(MemberConfigFile::scalar).collect(Collectors.joining(", ", "[", "]"));
            default -> value.toString();
        };
    }

    private static Optional<MemberConfig> config(Map<?, ?> file) {
        if (!(file.get("name") instanceof String name)
                || !(file.get(DATA_DIR) instanceof String directory)
                || !(file.get(STATE) instanceof String state)
                || !(file.get(CLUSTER) instanceof String cluster)
                || !(directory + "/").startsWith(PodPaths.DATA_PATH + "/")) {
            return Optional.empty();
        }
        String incarnation = directory.equals(PodPaths.DATA_PATH)
                ? ForeignVolume.ROOT
                : directory.substring(PodPaths.DATA_PATH.length() + 1);
        Optional<SortedMap<Integer, String>> peers = peers(name, cluster);
        boolean sealed =
                state.equals("existing") && peers.filter(p -> p.size() == 1).isPresent();
        if (peers.isEmpty() || !isFolder(incarnation, sealed)) {
            return Optional.empty();
        }
        return switch (state) {
            case "new" ->
                file.get(TOKEN) instanceof String token
                        ? Optional.of(new MemberConfig.Founding(incarnation, token, peers.get()))
                        : Optional.empty();
            case "existing" ->
                Optional.of(sealed ? started(file, incarnation) : new MemberConfig.Joining(incarnation, peers.get()));
            default -> Optional.empty();
        };
    }

    private static MemberConfig started(Map<?, ?> file, String incarnation) {
        return EtcdFeatures.unchecked(file)
                ? new MemberConfig.Unchecked(incarnation)
                : new MemberConfig.Sealed(incarnation);
    }

    /// Empty unless every entry names a member of the same ring, including the file's own member.
    private static Optional<SortedMap<Integer, String>> peers(String self, String cluster) {
        var own = MEMBER_NAME.matcher(self);
        if (!own.matches()) {
            return Optional.empty();
        }
        var peers = new TreeMap<Integer, String>();
        for (String entry : cluster.split(",", -1)) {
            int equals = entry.indexOf('=');
            var member = MEMBER_NAME.matcher(entry.substring(0, Math.max(equals, 0)));
            if (!member.matches() || !member.group(1).equals(own.group(1))) {
                return Optional.empty();
            }
            peers.merge(Integer.parseInt(member.group(2)), entry.substring(equals + 1), (a, b) -> a + "," + b);
        }
        return peers.containsKey(Integer.parseInt(own.group(2))) ? Optional.of(peers) : Optional.empty();
    }
}
