/**
 * Applies `markets.select` to a running bot: reads the venue's open markets, then enters and leaves markets.
 *
 * The rules apply to every traded market, including markets that an operator added. A market that an operator removed,
 * or that failed, is not entered until an operator adds the market again.
 */
import { Fault, type MarketNo, timeAfter } from '../../domain/index.ts';
import { type LiveBotDeps, listSlugs } from '../../ops/index.ts';
import {
  computeSelectionChange,
  type LeaveReason,
  type MarketCandidate,
  type SelectionRules,
} from '../../runtime/index.ts';
import type { MarketSetup } from '../../state/index.ts';
import type { MarketDirectory } from '../../venues/base/index.ts';
import type { LiveCore } from './core.ts';
import type { MarketChanges } from './market-changes.ts';
import type { LiveStart } from './opened-live.ts';

export interface MarketSelectionOptions extends Pick<LiveBotDeps, 'clock' | 'log' | 'alert'> {
  readonly rules: SelectionRules;
  readonly directory: Pick<MarketDirectory, 'candidates'>;
  readonly core: Pick<LiveCore, 'state' | 'assignments'>;
  readonly changes: Pick<MarketChanges, 'addMarket' | 'leaveMarket' | 'isWithheld'>;
  /** Receives errors that are not a `Fault`. */
  readonly onFailed: (error: unknown) => void;
}

/** Maximum number of open markets to read, largest volume first. */
const MAX_READ = 1_000;
const MAX_SIGNABLE = 20;

export type MarketSelection = ReturnType<typeof createSelection>;

export function createSelection(options: MarketSelectionOptions) {
  const { rules, directory, core, changes, clock, log, alert, onFailed } = options;
  let isClosed = false;
  let cancel = (): void => {};

  const toId = (market: MarketNo): string => String(core.state.market(market).info.id);
  const tradedIds = (): ReadonlySet<string> =>
    new Set(core.assignments.entries.flatMap(({ markets }) => markets.map(toId)));

  async function enterMarket(market: MarketCandidate): Promise<boolean> {
    if (isClosed) return false;
    try {
      const text = await changes.addMarket(market.id, {});
      log.info({ ...toLogFields(market), rank: rules.rank }, `entered ${market.slug}: ${text}`);
      return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const problem = `${market.slug} could not be entered; the next selection tries again`;
      log.warn({ ...toLogFields(market), err: error }, problem);
      return false;
    }
  }

  async function select(): Promise<void> {
    const { category, tags } = rules;
    const topic = tags.length > 1 ? undefined : tags[0];
    // Open markets, and traded markets in any state. The venue filters by at most one topic; the rules check all tags.
    const candidates = await directory.candidates({ category, topic, limit: MAX_READ }, tradedIds());
    if (isClosed) return;
    const traded = tradedIds();
    const allowed = candidates.filter(({ id }) => traded.has(id) || !changes.isWithheld(id));
    const { enter, leave } = computeSelectionChange(allowed, traded, rules, clock.now());
    const left: string[] = [];
    for (const { market, reason } of leave) {
      const text = changes.leaveMarket(market.id);
      log.info({ ...toLogFields(market), reason }, `left ${text}`);
      left.push(`${market.slug} (${REASONS[reason]})`);
    }
    const entered: string[] = [];
    for (const market of enter) if (await enterMarket(market)) entered.push(market.slug);
    if (entered.length + left.length === 0) return;
    const parts = [
      ...(entered.length === 0 ? [] : [`entered ${listSlugs(entered)}`]),
      ...(left.length === 0 ? [] : [`left ${listSlugs(left)}`]),
    ];
    alert('selection', `halfspread: ${parts.join('; ')}`, { entered: entered.length, left: left.length });
  }

  /** Selects now, and again `every_s` after each selection has ended. */
  async function begin(): Promise<void> {
    try {
      await select();
    } catch (error) {
      if (error instanceof Fault) log.error({ err: error }, 'the markets could not be selected');
      else onFailed(error);
    }
    if (isClosed) return;
    cancel = clock.schedule(timeAfter(clock.now(), rules.every_s * 1_000), () => void begin());
  }

  return {
    begin,
    close() {
      isClosed = true;
      cancel();
    },
  };
}

/** Opens a bot's selection, which closes with the bot. Returns undefined without `markets.select`. */
export function openSelection(
  { live, log, outcome, closers }: LiveStart,
  deps: Pick<MarketSelectionOptions, 'directory' | 'core' | 'changes' | 'clock' | 'alert'>,
): MarketSelection | undefined {
  const { select: rules } = live.file.markets;
  if (rules === undefined) return undefined;
  const selection = createSelection({ ...deps, rules, log, onFailed: (error) => outcome.fail(error) });
  closers.add(() => selection.close());
  return selection;
}

/** Returns open markets for the signature check before any market is selected. */
export async function signableMarkets(directory: MarketDirectory): Promise<readonly MarketSetup[]> {
  const ids = (await directory.candidates({ limit: MAX_SIGNABLE })).map(({ id }) => id);
  return ids.length === 0 ? [] : directory.select({ ids });
}

const REASONS = {
  closed: 'it has closed',
  'before resolution': 'its resolution is near',
  'before start': 'play starts soon',
} as const satisfies Record<LeaveReason, string>;

function toLogFields({ slug, volume, spreadBps, resolvesAt }: MarketCandidate) {
  return {
    market: slug,
    volumeUsd: volume / 1_000_000,
    spreadBps: spreadBps ?? null,
    resolvesAt: resolvesAt === undefined ? null : new Date(resolvesAt).toISOString(),
  };
}
