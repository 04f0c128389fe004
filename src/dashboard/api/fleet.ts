import type { Clock } from '../../clock/index.ts';
import { InputFault, timeAfter } from '../../domain/index.ts';
import type { Bot, BotState } from '../generated/schema-types.ts';
import { assessHealth } from './health.ts';
import { streamLatest } from './value-stream.ts';
import { type BotEndpoint, WatchedBot } from './watched-bot.ts';

/** Minimum time between states of a subscription, because each of many bots reports ten times a second. */
const MIN_INTERVAL_MS = 50;
/** Interval of checks for silent bots. With `assessHealth`, the page shows a silent bot within three seconds. */
const CHECK_MS = 500;

export class Fleet {
  readonly #clock: Clock;
  readonly bots: readonly WatchedBot[];
  readonly #listeners = new Set<() => void>();
  /** How often an alert had occurred when it was acknowledged, by `alertKey`. */
  readonly #acknowledged = new Map<string, number>();
  #acknowledgements = 0;

  /** @throws InputFault if two bots have the same name */
  constructor(endpoints: readonly BotEndpoint[], clock: Clock) {
    this.#clock = clock;
    const duplicate = endpoints.find(({ id }, index) => endpoints.findIndex((each) => each.id === id) !== index);
    if (duplicate !== undefined)
      throw new InputFault('bot', duplicate.id, 'a name that no other bot here has: write <name>=<file>');
    this.bots = endpoints.map((endpoint) => new WatchedBot(endpoint, clock, () => this.#notify()));
    for (const bot of this.bots) bot.open();
  }

  close(): void {
    for (const bot of this.bots) bot.close();
  }

  /** @throws InputFault for a name that no bot has */
  bot(id: string): WatchedBot {
    const found = this.bots.find((bot) => bot.id === id);
    if (found !== undefined) return found;
    throw new InputFault('bot', id, `one of ${this.bots.map((bot) => bot.id).join(', ')}`);
  }

  states(): readonly Bot[] {
    const now = this.#clock.now();
    return this.bots.map((bot) => {
      const { id, report, seenAt, clockAheadMs } = bot;
      const state = report === undefined ? null : this.#toState(id, report);
      return { id, ...assessHealth(bot, now), seenAt: seenAt ?? null, clockAheadMs: clockAheadMs ?? null, state };
    });
  }

  reachable(): readonly WatchedBot[] {
    const now = this.#clock.now();
    return this.bots.filter((bot) => assessHealth(bot, now).health !== 'UNREACHABLE');
  }

  /** Streams the current state, then changes at a limited rate. A large bot's whole state would cost megabytes. */
  follow(): AsyncGenerator<readonly Bot[], void, void> {
    return streamLatest((push) => {
      let cancel = (): void => {};
      let isScheduled = false;
      let shownAt = this.#clock.now();
      let shown: readonly unknown[] = [];
      const show = (): void => {
        cancel();
        isScheduled = false;
        shownAt = this.#clock.now();
        cancel = this.#clock.schedule(timeAfter(shownAt, CHECK_MS), show);
        const versions = this.#versions();
        if (versions.length === shown.length && versions.every((version, index) => version === shown[index])) return;
        shown = versions;
        push(this.states());
      };
      const onChanged = (): void => {
        if (isScheduled) return;
        isScheduled = true;
        cancel();
        const now = this.#clock.now();
        cancel = this.#clock.schedule(timeAfter(now, Math.max(0, shownAt - now + MIN_INTERVAL_MS)), show);
      };
      this.#listeners.add(onChanged);
      show();
      return () => {
        this.#listeners.delete(onChanged);
        cancel();
      };
    });
  }

  /** Hides an alert until it occurs again. @returns whether the bot has the alert */
  acknowledge(id: string, alert: string): boolean {
    const { report } = this.bot(id);
    const found = report?.alerts.find((each) => each.id === alert);
    if (report === undefined || found === undefined) return false;
    this.#acknowledged.set(alertKey(id, report, alert), found.count);
    this.#acknowledgements += 1;
    this.#notify();
    return true;
  }

  /** Returns values that differ when the page must show something else. Only an unreachable bot shows its `seenAt`. */
  #versions(): readonly unknown[] {
    const now = this.#clock.now();
    const versions = this.bots.flatMap((bot) => {
      const { health, healthReason } = assessHealth(bot, now);
      return [bot.report, health, healthReason];
    });
    return [this.#acknowledgements, ...versions];
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #toState(id: string, report: NonNullable<WatchedBot['report']>): BotState {
    const alerts = report.alerts.map((alert) => {
      return { ...alert, acknowledged: (this.#acknowledged.get(alertKey(id, report, alert.id)) ?? 0) >= alert.count };
    });
    return { ...report, reconciled: AGREEMENT[report.reconciled], alerts };
  }
}

const AGREEMENT = { agrees: 'AGREES', comparing: 'COMPARING', disagrees: 'DISAGREES' } as const;

/** Returns the key of an alert. Numbers of alerts start again with each process of a bot. */
function alertKey(bot: string, { startedAt }: { readonly startedAt: number }, alert: string): string {
  return `${bot}\n${startedAt}\n${alert}`;
}
