package io.github.etcdgitops.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Date;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.quartz.CronScheduleBuilder;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/// Runs something at the times of a crontab, one run at a time. A time that comes while a run is under way is not made
/// up later, unless the run ends within a minute of it: what a run would do is found by the next one as well.
public final class Schedule implements AutoCloseable {
    private static final String WORK = "work";
    private static final JobKey JOB = JobKey.jobKey("run");
    private static final String MISFIRE_MILLIS = "60000";

    private final Scheduler scheduler;

    private Schedule(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /// Begins at once to wait for the next time. `work` handles its own failures.
    public static Schedule start(Crontab crontab, ZoneId zone, Runnable work) {
        try {
            var scheduler = scheduler();
            var job = JobBuilder.newJob(Once.class)
                    .withIdentity(JOB)
                    .usingJobData(new JobDataMap(java.util.Map.of(WORK, new Work(work, new AtomicLong()))))
                    .storeDurably()
                    .build();
            scheduler.addJob(job, true);
            for (String expression : crontab.quartz()) {
                scheduler.scheduleJob(TriggerBuilder.newTrigger()
                        .forJob(JOB)
                        .withSchedule(CronScheduleBuilder.cronSchedule(expression)
                                .inTimeZone(TimeZone.getTimeZone(zone))
                                .withMisfireHandlingInstructionDoNothing())
                        .build());
            }
            scheduler.start();
            return new Schedule(scheduler);
        } catch (SchedulerException e) {
            throw new IllegalStateException("the scheduler could not be started", e);
        }
    }

    private static Scheduler scheduler() throws SchedulerException {
        var properties = new Properties();
        properties.setProperty("org.quartz.scheduler.instanceName", "etcd-gitops");
        properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        properties.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        properties.setProperty("org.quartz.threadPool.threadCount", "1");
        properties.setProperty("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
        properties.setProperty("org.quartz.jobStore.misfireThreshold", MISFIRE_MILLIS);
        return new StdSchedulerFactory(properties).getScheduler();
    }

    /// Runs now, or right after the run that is under way.
    public void now() {
        try {
            scheduler.triggerJob(JOB);
        } catch (SchedulerException e) {
            throw new IllegalStateException("the scheduler takes no job", e);
        }
    }

    /// When the next run begins, if there is one.
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

    /// Waits for the run that is under way; begins no other.
    @Override
    public void close() {
        try {
            scheduler.shutdown(true);
        } catch (SchedulerException e) {
            throw new IllegalStateException("the scheduler does not stop", e);
        }
    }

    /// `handled` is the time of the last run, in milliseconds since 1970: a minute that two expressions of a crontab
    /// name is one time.
    private record Work(Runnable run, AtomicLong handled) {}

    /// Public because Quartz makes it.
    @DisallowConcurrentExecution
    public static final class Once implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            var work =
                    (Work) Objects.requireNonNull(context.getMergedJobDataMap().get(WORK));
            long time = context.getScheduledFireTime().toInstant().toEpochMilli();
            if (work.handled().getAndSet(time) != time) {
                work.run().run();
            }
        }
    }
}
