package io.github.etcdgitops.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The location of a foreign member's data on its volume. `directory` is the path from the root of the
/// volume, `.` for the root itself; without one, `refusal` says why the data cannot be found there.
public record ForeignVolume(Optional<String> directory, Optional<String> refusal) {
    /// The root of a volume.
    public static final String ROOT = ".";

    private static final int DEEPEST = 6;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,62}");

    public static ForeignVolume of(Foreign foreign, ForeignFlags flags, int ordinal) {
        var set = foreign.set();
        if (set.claims().size() != 1 || foreign.template().containers().size() != 1) {
            return refused("the StatefulSet has " + set.claims().size() + " claim templates. Only one can be adopted");
        }
        String volume = set.claims().firstKey();
        String path = flags.values().getOrDefault("data-dir", "");
        var mount = foreign.template().containers().getFirst().mounts().stream()
                .filter(m -> path.equals(m.path()) || path.startsWith(m.path() + "/"))
                .max(Comparator.comparingInt(m -> m.path().length()));
        if (mount.filter(m -> m.volume().equals(volume)).isEmpty()) {
            return refused("--data-dir is not on the volume of the claim template " + volume);
        }
        var segments = segments(
                mount.get().subPath() + "/" + path.substring(mount.get().path().length()));
        if (segments.size() > DEEPEST
                || !segments.stream().allMatch(s -> NAME.matcher(s).matches())) {
            return refused("--data-dir has a name that etcd-gitops cannot adopt");
        }
        return behind(foreign, volume, ordinal, segments.isEmpty() ? ROOT : String.join("/", segments));
    }

    /// Our StatefulSet requests the same claim that Kubernetes gives the foreign StatefulSet's pod.
    private static ForeignVolume behind(Foreign foreign, String volume, int ordinal, String directory) {
        var pod = foreign.pods().get(ordinal);
        var claim = foreign.claims().get(ordinal);
        return pod != null
                        && claim != null
                        && claim.name().equals(pod.mounted().get(volume))
                        && claim.phase() == ClaimPhase.BOUND
                ? new ForeignVolume(Optional.of(directory), Optional.empty())
                : refused("the pod does not mount a bound claim of the StatefulSet");
    }

    private static List<String> segments(String path) {
        return new ArrayList<>(
                Arrays.stream(path.split("/")).filter(s -> !s.isEmpty()).toList());
    }

    private static ForeignVolume refused(String why) {
        return new ForeignVolume(Optional.empty(), Optional.of(why));
    }
}
