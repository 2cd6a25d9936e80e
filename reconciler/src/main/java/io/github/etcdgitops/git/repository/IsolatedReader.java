package io.github.etcdgitops.git.repository;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.ConfigConstants;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/// JGit without the user's configuration: no `~/.gitconfig`, no `/etc/gitconfig`, no `GIT_*` variables. So
/// an `insteadOf`, a proxy command, a hook path or `sslVerify = false` that was set for another purpose
/// cannot change a run. JGit also need not start `git` to find the system's configuration.
public final class IsolatedReader extends SystemReader.Delegate {
    private static final Duration COARSEST = Duration.ofSeconds(2);

    private IsolatedReader(SystemReader actual) {
        super(actual);
    }

    /// JGit stores its reader in a static field, so this applies to the whole process. Repeating it changes
    /// nothing.
    public static void install() {
        if (!(SystemReader.getInstance() instanceof IsolatedReader)) {
            SystemReader.setInstance(new IsolatedReader(SystemReader.getInstance()));
        }
    }

    @Override
    public @Nullable String getenv(String variable) {
        return variable.startsWith("GIT_") ? null : super.getenv(variable);
    }

    @Override
    public String getHostname() {
        return "localhost";
    }

    @Override
    public FileBasedConfig openUserConfig(@Nullable Config parent, FS fs) {
        return new NoFile(parent, fs);
    }

    @Override
    public FileBasedConfig openSystemConfig(@Nullable Config parent, FS fs) {
        return new NoFile(parent, fs);
    }

    @Override
    public FileBasedConfig openJGitConfig(@Nullable Config parent, FS fs) {
        return new NoFile(parent, fs);
    }

    /// JGit reads the resolution of file time stamps here, and would otherwise measure it: in the
    /// foreground that takes seconds, in the background it writes files into folders that we delete.
    /// Assuming the worst costs a second look at a folder that changed a moment ago.
    private static final class NoFile extends FileBasedConfig {
        NoFile(@Nullable Config parent, FS fs) {
            super(parent, Path.of("none").toFile(), fs);
            // Every repository inherits this: no background garbage collection, neither in our cache, which
            // we may be about to delete, nor in a user's repository that we push to.
            setInt(ConfigConstants.CONFIG_GC_SECTION, null, ConfigConstants.CONFIG_KEY_AUTO, 0);
            setInt(ConfigConstants.CONFIG_GC_SECTION, null, ConfigConstants.CONFIG_KEY_AUTOPACKLIMIT, 0);
            setBoolean(ConfigConstants.CONFIG_GC_SECTION, null, ConfigConstants.CONFIG_KEY_AUTODETACH, false);
            setBoolean("receive", null, "autogc", false);
            // JGit's own server reads a repository on this machine.
            setBoolean("uploadpack", null, "allowfilter", true);
        }

        @Override
        public long getTimeUnit(
                String section, @Nullable String subsection, String name, long byDefault, TimeUnit unit) {
            return section.equals(ConfigConstants.CONFIG_FILESYSTEM_SECTION)
                    ? unit.convert(COARSEST)
                    : super.getTimeUnit(section, subsection, name, byDefault, unit);
        }

        @Override
        public void load() {
            // There is nothing to read.
        }

        @Override
        public void save() {
            // JGit measures it again instead of storing it.
        }

        @Override
        public boolean isOutdated() {
            return false;
        }
    }
}
