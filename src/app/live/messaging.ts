/** Messages between a bot and its operators: alerts, the daily summary, commands by Telegram. */
import type { Clock } from '../../clock/index.ts';
import type { LiveFile } from '../../config/live-schema.ts';
import { Alerts, CommandPoller, DailySummary, LocalTime, minutesOf, type QuietTimes } from '../../ops/index.ts';
import type { OpenedTargets } from '../alert-targets.ts';
import type { LiveStart } from './opened-live.ts';

export function openAlerts(
  { live, log, redactor }: Pick<LiveStart, 'live' | 'log' | 'redactor'>,
  { targets }: Pick<OpenedTargets, 'targets'>,
  clock: Clock,
): Alerts {
  const { alerts } = live.file;
  const quiet = quietTimes(alerts);
  return new Alerts({ targets, clock, log, redactor, name: alerts.name, repeatMs: alerts.repeat_ms, quiet });
}

type SummaryDeps = Omit<ConstructorParameters<typeof DailySummary>[0], 'local' | 'minute'>;

/** @returns undefined when no summary is configured */
export function openSummary({ live }: Pick<LiveStart, 'live'>, deps: SummaryDeps): DailySummary | undefined {
  const { daily_summary: time, time_zone: zone } = live.file.alerts;
  if (time === undefined) return undefined;
  return new DailySummary({ ...deps, local: new LocalTime(zone), minute: minutesOf(time) });
}

type PollerDeps = Pick<ConstructorParameters<typeof CommandPoller>[0], 'bot' | 'openAtVenue' | 'alert' | 'clock'>;

/** Receives commands until the bot is closed. Does nothing when no target takes commands. */
export function openCommands({ log, closers }: LiveStart, { commandBot }: OpenedTargets, deps: PollerDeps): void {
  if (commandBot === undefined) return;
  const poller = new CommandPoller({ ...deps, ...commandBot, log });
  poller.start();
  closers.add(() => poller.close());
}

function quietTimes({ quiet_hours: quiet, time_zone: zone }: LiveFile['alerts']): QuietTimes | undefined {
  if (quiet === undefined) return undefined;
  return { local: new LocalTime(zone), from: minutesOf(quiet.from), to: minutesOf(quiet.to) };
}
