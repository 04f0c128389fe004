/** Messages between a bot and its operators: alerts, the daily summary, commands by Telegram. */
import type { Clock } from '../../clock/index.ts';
import type { LiveConfiguration } from '../../config/live-file.ts';
import { InputFault } from '../../domain/index.ts';
import {
  Alerts,
  type AlertTarget,
  CommandPoller,
  DailySummary,
  LocalTime,
  parseMinutes,
  type Redactor,
} from '../../ops/index.ts';
import { createSecretReader } from '../venue-access.ts';
import type { LiveStart } from './opened-live.ts';

export function openAlerts(
  { live, log, redactor }: Pick<LiveStart, 'live' | 'log' | 'redactor'>,
  { targets }: Pick<OpenedTargets, 'targets'>,
  clock: Clock,
): Alerts {
  const { quiet_hours: hours, time_zone: zone, ...alerts } = live.file.alerts;
  const quiet = hours && { localTime: new LocalTime(zone), from: parseMinutes(hours.from), to: parseMinutes(hours.to) };
  return new Alerts({ targets, clock, log, redactor, name: alerts.name, repeatMs: alerts.repeat_ms, quiet });
}

type SummaryDeps = Omit<ConstructorParameters<typeof DailySummary>[0], 'localTime' | 'minute'>;

export function openSummary({ live }: Pick<LiveStart, 'live'>, deps: SummaryDeps): DailySummary | undefined {
  const { daily_summary: time, time_zone: zone } = live.file.alerts;
  if (time === undefined) return undefined;
  return new DailySummary({ ...deps, localTime: new LocalTime(zone), minute: parseMinutes(time) });
}

type PollerOptions = ConstructorParameters<typeof CommandPoller>[0];
type PollerDeps = Pick<PollerOptions, 'bot' | 'openAtVenue' | 'alert' | 'clock'>;

export function startPoller({ log, closers }: LiveStart, { commandChannel }: OpenedTargets, deps: PollerDeps): void {
  if (commandChannel === undefined) return;
  const poller = new CommandPoller({ ...deps, ...commandChannel, log });
  poller.start();
  closers.add(() => poller.close());
}

export type OpenedTargets = Readonly<ReturnType<typeof openTargets>>;

/** Reads targets; redacts their secrets. @throws FileFault; InputFault for a missing secret or second command target */
export function openTargets(live: LiveConfiguration, redactor: Redactor) {
  const secrets = createSecretReader(live, redactor);
  let commandChannel: Pick<PollerOptions, 'url' | 'chats'> | undefined;
  const targets = live.file.alerts.targets.map((target, index): AlertTarget => {
    const { type, level } = target;
    const field = `alerts.targets[${index}]`;
    const name = `${field} (${type})`;
    if (type !== 'telegram') {
      const url = secrets.read(target.url, `${field}.url`);
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
        const expected = 'a URL that begins with https:// or http://, in the variable or file that the field names';
        throw new InputFault(`${field}.url`, undefined, expected);
      }
      if (type !== 'webhook') return { name, type, url, level };
      return { name, type, url, level, headers: secrets.readHeaders(target.headers, `${field}.headers`) };
    }
    const token = secrets.read(target.token, `${field}.token`);
    if (!/^\d+:[A-Za-z0-9_-]+$/.test(token)) {
      const expected = "the token of BotFather's message, in the environment variable or file that the field names";
      throw new InputFault(`${field}.token`, undefined, expected);
    }
    const url = `${target.base_url.replace(/\/$/, '')}/bot${token}`;
    if (!URL.canParse(url))
      throw new InputFault(`${field}.base_url`, target.base_url, 'a URL that begins with https:// or http://');
    if (target.commands_from.length > 0) {
      if (commandChannel !== undefined) {
        const expected = 'no chats: another target already receives commands. List all chats there';
        throw new InputFault(`${field}.commands_from`, target.commands_from, expected);
      }
      commandChannel = { url, chats: target.commands_from.map(String) };
    }
    return { name, type, url: `${url}/sendMessage`, chat: String(target.chat), level };
  });
  return { targets, commandChannel };
}
