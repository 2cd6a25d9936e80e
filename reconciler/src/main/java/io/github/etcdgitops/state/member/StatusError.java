package io.github.etcdgitops.state.member;

/// Something wrong that a member reports in its status, printed in our words and never in the server's.
public sealed interface StatusError permits Alarm, StatusError.Plain {
    enum Plain implements StatusError {
        /// From a member that knows of no leader, as all do in a ring without quorum.
        NO_LEADER,
        /// Servers before 3.4 report alarms only where there is a quorum.
        ALARMS_UNKNOWN,
        /// Anything else.
        UNFAMILIAR;

        @Override
        public String toString() {
            return switch (this) {
                case NO_LEADER -> "no leader";
                case ALARMS_UNKNOWN -> "its alarms could not be read";
                case UNFAMILIAR -> "an error that is not known here; see the member's log";
            };
        }
    }
}
