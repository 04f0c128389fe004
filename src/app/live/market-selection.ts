/**
 * Applies `markets.select` to a running bot: reads the venue's open markets, then enters and leaves markets by its rules.
 *
 * The rules apply to every traded market, including those that an operator added. A market that an operator removed, or
 * that failed, is not entered until an operator adds it again.
 */
import type { Clock } from '../../clock/index.ts';
import { Fault, timeAfter } from '../../domain/index.ts';
import { firstNames, type Log, type SendAlert } from '../../ops/index.ts';
import { type LeaveReason, type MarketCandidate, type SelectionRules, selectionChange } from '../../runtime/index.ts';
import type { MarketDirectory, Selected } from '../../venues/base/index.ts';
import type { LiveCore } from './core.ts';
import type { MarketChanges } from './market-changes.ts';
import type { LiveStart } from './opened-live.ts';

export interface MarketSelectionOptions {
  readonly rules: SelectionRules;
  readonly directory: Pick<MarketDirectory, 'candidates'>;
  readonly core: Pick<LiveCore, 'state' | 'assignments'>;
  readonly changes: Pick<MarketChanges, 'addMarket' | 'leaveMarket' | 'isWithheld'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly alert: SendAlert;
  /** Receives errors that are not a `Fault`. */
  readonly failed: (error: unknown) => void;
}

/** Maximum of open markets to read, by volume. */
const MAX_READ = 1_000;
const MS_PER_SECOND = 1_000;
const EXAMPLES = 20;

export class MarketSelection {
  readonly #options: MarketSelectionOptions;
  #isClosed = false;
  #cancel: () => void = () => {};

  constructor(options: MarketSelectionOptions) {
    this.#options = options;
  }

  /** Selects now, and again `every_s` after each selection has ended. */
  async begin(): Promise<void> {
    const { rules, clock, failed } = this.#options;
    try {
      await this.#select();
    } catch (error) {
      if (error instanceof Fault) this.#options.log.error({ err: error }, 'the markets could not be selected');
      else failed(error);
    }
    if (this.#isClosed) return;
    this.#cancel = clock.schedule(timeAfter(clock.now(), rules.every_s * MS_PER_SECOND), () => void this.begin());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  async #select(): Promise<void> {
    const { rules, changes, clock, log, alert } = this.#options;
    const candidates = await this.#candidates();
    if (this.#isClosed) return;
    const traded = this.#traded();
    const { enter, leave } = selectionChange(
      candidates.filter(({ id }) => traded.has(id) || !changes.isWithheld(id)),
      traded,
      rules,
      clock.now(),
    );
    const left: string[] = [];
    for (const { market, reason } of leave) {
      const text = changes.leaveMarket(market.id);
      log.info({ ...factsOf(market), reason }, `left ${text}`);
      left.push(`${market.slug} (${REASONS[reason]})`);
    }
    const entered: string[] = [];
    for (const market of enter) if (await this.#enter(market)) entered.push(market.slug);
    if (entered.length + left.length === 0) return;
    const parts = [
      ...(entered.length === 0 ? [] : [`entered ${firstNames(entered)}`]),
      ...(left.length === 0 ? [] : [`left ${firstNames(left)}`]),
    ];
    alert('selection', `halfspread: ${parts.join('; ')}`, { entered: entered.length, left: left.length });
  }

  /** @returns whether the market was entered */
  async #enter(market: MarketCandidate): Promise<boolean> {
    const { rules, changes, log } = this.#options;
    if (this.#isClosed) return false;
    try {
      const text = await changes.addMarket(market.id, {});
      log.info({ ...factsOf(market), rank: rules.rank }, `entered ${market.slug}: ${text}`);
      return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      log.warn(
        { ...factsOf(market), err: error },
        `${market.slug} could not be entered; the next selection tries again`,
      );
      return false;
    }
  }

  /** Open markets, and traded markets in any state. */
  #candidates(): Promise<readonly MarketCandidate[]> {
    const { directory, rules } = this.#options;
    const { category, tags } = rules;
    const topic = tags.length > 1 ? undefined : tags[0];
    return directory.candidates({ category, topic, limit: MAX_READ }, this.#traded());
  }

  #traded(): ReadonlySet<string> {
    const { assignments, state } = this.#options.core;
    return new Set(
      assignments.entries.flatMap(({ markets }) => markets.map((market) => String(state.market(market).info.id))),
    );
  }
}

/** Opens the selection of a bot, live or paper; undefined without `markets.select`. It ends with the bot. */
export function openSelection(
  { live, log, outcome, closers }: LiveStart,
  parts: Pick<MarketSelectionOptions, 'directory' | 'core' | 'changes' | 'clock' | 'alert'>,
): MarketSelection | undefined {
  const { select: rules } = live.file.markets;
  if (rules === undefined) return undefined;
  const selection = new MarketSelection({ ...parts, rules, log, failed: (error) => outcome.fail(error) });
  closers.add(() => selection.close());
  return selection;
}

/** Open markets for the check of signatures, before any market is selected. */
export async function signableMarkets(directory: MarketDirectory): Promise<readonly Selected[]> {
  const ids = (await directory.candidates({ limit: EXAMPLES })).map(({ id }) => id);
  return ids.length === 0 ? [] : directory.select({ ids });
}

const REASONS = {
  closed: 'it has closed',
  'before resolution': 'its resolution is near',
  'before start': 'play starts soon',
} as const satisfies Record<LeaveReason, string>;

function factsOf({ slug, volume, spreadBps, resolvesAt }: MarketCandidate) {
  return {
    market: slug,
    volumeUsd: volume / 1_000_000,
    spreadBps: spreadBps ?? null,
    resolvesAt: resolvesAt === undefined ? null : new Date(resolvesAt).toISOString(),
  };
}
