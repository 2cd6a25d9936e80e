package io.github.etcdgitops.schedule;

import io.github.etcdgitops.spec.time.Crontab;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.quartz.CronScheduleBuilder;
import org.quartz.CronTrigger;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.DirectSchedulerFactory;
import org.quartz.simpl.RAMJobStore;
import org.quartz.simpl.SimpleThreadPool;
import org.quartz.spi.OperableTrigger;

/// Runs work at the times of a crontab, one run at a time, and at one additional time that each run may
/// request. A time during a run is not made up later, unless the run ends within a minute of it: the next
/// run finds the same work.
public final class Schedule implements AutoCloseable {
    private static final String WORK = "work";
    private static final JobKey JOB = JobKey.jobKey("run");
    private static final TriggerKey BESIDES = TriggerKey.triggerKey("besides");
    private static final long MISFIRE_MILLIS = 60_000;

    /// Quartz identifies schedulers by name.
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Scheduler scheduler;

    private Schedule(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /// Starts to wait for the next time at once. `work` handles its own failures, and returns the
    /// additional time at which it must run, until it returns another. Throws IllegalArgumentException for
    /// a crontab without future times.
    public static Schedule start(Crontab crontab, ZoneId zone, Supplier<Optional<Instant>> work) {
        var triggers = triggers(crontab, zone);
        if (triggers.isEmpty()) {
            throw new IllegalArgumentException("the crontab '" + crontab.text() + "' matches no future time");
        }
        try {
            var scheduler = scheduler();
            var job = JobBuilder.newJob(Once.class)
                    .withIdentity(JOB)
                    .usingJobData(new JobDataMap(java.util.Map.of(WORK, new Work(work, new AtomicLong()))))
                    .storeDurably()
                    .build();
            scheduler.addJob(job, true);
            for (Trigger trigger : triggers) {
                scheduler.scheduleJob(trigger);
            }
            scheduler.start();
            return new Schedule(scheduler);
        } catch (SchedulerException e) {
            throw new IllegalStateException("the scheduler could not be started", e);
        }
    }

    /// Of two expressions of one crontab, one may never apply, such as the 31st of February.
    private static List<CronTrigger> triggers(Crontab crontab, ZoneId zone) {
        return Expressions.of(crontab).stream()
                .map(expression -> TriggerBuilder.newTrigger()
                        .forJob(JOB)
                        .withSchedule(CronScheduleBuilder.cronSchedule(expression)
                                .inTimeZone(TimeZone.getTimeZone(zone))
                                .withMisfireHandlingInstructionDoNothing())
                        .build())
                .filter(trigger -> ((OperableTrigger) trigger).computeFirstFireTime(null) != null)
                .toList();
    }

    /// Built in code, so that a quartz.properties on the class path has no effect.
    private static Scheduler scheduler() throws SchedulerException {
        var store = new RAMJobStore();
        store.setMisfireThreshold(MISFIRE_MILLIS);
        String name = "etcd-gitops-" + NUMBER.incrementAndGet();
        DirectSchedulerFactory.getInstance()
                .createScheduler(name, name, new SimpleThreadPool(1, Thread.NORM_PRIORITY), store);
        return DirectSchedulerFactory.getInstance().getScheduler(name);
    }

    /// Runs now, or right after the current run.
    public void now() {
        try {
            scheduler.triggerJob(JOB);
        } catch (SchedulerException e) {
            throw new IllegalStateException("the scheduler accepts no job", e);
        }
    }

    /// When the next run starts, if there is one.
    public Optional<Instant> next() {
        try {
            return scheduler.getTriggersOfJob(JOB).stream()
                    .flatMap(t -> Stream.ofNullable(t.getNextFireTime()))
                    .map(Date::toInstant)
                    .min(Instant::compareTo);
        } catch (SchedulerException e) {
            throw new IllegalStateException("the scheduler does not answer", e);
        }
    }

    /// Waits for the current run; starts no other.
    @Override
    public void close() {
        try {
            scheduler.shutdown(true);
        } catch (SchedulerException e) {
            throw new IllegalStateException("the scheduler does not stop", e);
        }
    }

    /// `handled` is the time of the last run, in milliseconds since 1970: a minute that two expressions of
    /// a crontab name counts once.
    private record Work(Supplier<Optional<Instant>> run, AtomicLong handled) {}

    /// Public because Quartz creates it.
    @DisallowConcurrentExecution
    public static final class Once implements Job {
        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            var work =
                    (Work) Objects.requireNonNull(context.getMergedJobDataMap().get(WORK));
            long time = context.getScheduledFireTime().toInstant().toEpochMilli();
            if (work.handled().getAndSet(time) != time) {
                besides(context.getScheduler(), work.run().get());
            }
        }

        private static void besides(Scheduler scheduler, Optional<Instant> time) throws JobExecutionException {
            try {
                scheduler.unscheduleJob(BESIDES);
                if (time.isPresent()) {
                    scheduler.scheduleJob(TriggerBuilder.newTrigger()
                            .withIdentity(BESIDES)
                            .forJob(JOB)
                            .startAt(Date.from(time.get()))
                            .build());
                }
            } catch (SchedulerException e) {
                throw new JobExecutionException("the scheduler accepts no time", e);
            }
        }
    }
}
