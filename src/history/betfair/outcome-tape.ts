import { LOT } from '../../domain/index.ts';
import { type BlockWriter, CANCELLED_PAYOUT, KIND, SIDE, STATUS_CODES } from '../../tape/index.ts';
import { type BetfairCounts, emptyCounts } from './counts.ts';
import type { MarketDefinition, RunnerChange } from './message.ts';
import { classicOdds, type OddsSide, yesPrice } from './odds.ts';
import { mergedPrints, type RunnerTrades, singlePrints } from './prints.ts';
import { type Increment, RunnerBook } from './runner-book.ts';
import { YesBook } from './yes-book.ts';

const LADDER_ODDS: ReadonlySet<number> = new Set(classicOdds());

/** Describes a tape: the YES runner, and the NO runner of a merged market. */
export interface TapePlan {
  readonly market: string;
  readonly yes: number;
  readonly no: number | undefined;
  readonly definition: MarketDefinition;
}

/** The changes of one runner in one message, and the increments of its traded totals. */
export interface RunnerUpdate {
  readonly runner: RunnerBook;
  /** Levels and trades of a runner may be separate changes. */
  readonly changes: readonly RunnerChange[];
  readonly increments: readonly Increment[];
}

export interface TapeUpdate {
  readonly number: number;
  readonly publishedAt: number;
  /** Whether the message is an image, which replaces books and totals; its totals are not trades. */
  readonly image: boolean;
  readonly conflated: boolean;
  /** Whether a total of the market decreased; then the message has no trades. */
  readonly revaluation: boolean;
  readonly definition: MarketDefinition | undefined;
  readonly runners: readonly RunnerUpdate[];
}

/**
 * Turns the messages of one YES/NO market into rows: one runner against the field, or two runners merged into one book.
 *
 * Invariants: a message makes one tape message: prints, then levels, then status, delay and resolution. So trades come
 * before the suspension in the same message. No row follows the resolution.
 */
export class OutcomeTape {
  readonly counts: BetfairCounts = emptyCounts();
  readonly book: YesBook = new YesBook();
  /** The YES runner, and the NO runner of a merged market. */
  readonly runners: readonly [RunnerBook, ...RunnerBook[]];
  readonly plan: TapePlan;
  readonly #out: BlockWriter;
  #definition: MarketDefinition | undefined;
  #status = -1;
  #placeDelayMs = 0;
  resolved = false;

  constructor(plan: TapePlan, out: BlockWriter) {
    this.plan = plan;
    this.#out = out;
    const yes = new RunnerBook(plan.yes, false);
    this.runners = plan.no === undefined ? [yes] : [yes, new RunnerBook(plan.no, true)];
  }

  apply(update: TapeUpdate): void {
    if (this.resolved) {
      for (const { increments } of update.runners) this.counts.afterEnd += increments.length;
      return;
    }
    this.#count(update);
    this.#out.begin(update.publishedAt, update.publishedAt);
    const trades = update.runners.map(({ runner, changes, increments }) => ({
      runner,
      staged: runner.stage(changes),
      increments: increments.filter(({ pence }) => pence > 0),
    }));
    if (update.image) {
      this.book.clear();
      this.#out.row(0, KIND.clear, SIDE.bid, 0, 0);
    } else if (!update.revaluation) this.#print(trades);
    for (const { runner, staged } of trades) {
      runner.apply(staged, (side, odds, before, pence) => this.#level(runner, side, odds, (pence - before) * odds));
    }
    this.book.flush(0, this.#out);
    if (update.definition !== undefined) this.#define(update.definition);
    if (this.#out.end() === 0) this.counts.withoutRows += 1;
    if (this.#definition?.status === 'OPEN') this.#countState();
  }

  #print(trades: readonly RunnerTrades[]): void {
    const [first] = trades;
    if (first === undefined) return;
    const mid = this.book.shown.doubleMid();
    const result = this.runners.length === 2 ? mergedPrints(trades, mid) : singlePrints(first, mid);
    const counts = this.counts.prints;
    counts.exactMicroShares += result.microShares;
    counts.otherSide += result.otherSide;
    counts.otherSideMicroShares += result.otherSideMicroShares;
    for (const { side, price, lots, microShares } of result.prints) {
      if (lots === 0) {
        counts.belowOneLot += 1;
        counts.belowOneLotMicroShares += microShares;
        continue;
      }
      this.#out.row(0, KIND.trade, side, price, lots * LOT);
      counts.count += 1;
      counts.lots += lots;
      counts.largestLots = Math.max(counts.largestLots, lots);
      counts[side === SIDE.bid ? 'buy' : side === SIDE.ask ? 'sell' : 'unknown'] += 1;
    }
  }

  /** @param exact increase of the level, 10^-4 share */
  #level(runner: RunnerBook, side: OddsSide, odds: number, exact: number): void {
    const at = yesPrice(side, odds, runner.mirrored);
    this.book.add(at.side, at.price, exact);
  }

  #define(definition: MarketDefinition): void {
    this.#definition = definition;
    const payout = this.#payout(definition);
    if (payout !== undefined) {
      this.resolved = true;
      this.#out.row(0, KIND.resolution, SIDE.bid, payout, 0);
      return;
    }
    const status = STATUS_CODES.indexOf(definition.status === 'OPEN' ? 'OPEN' : 'HALTED');
    if (status !== this.#status) this.#out.row(0, KIND.status, SIDE.bid, status, 0);
    this.#status = status;
    const placeDelayMs = definition.betDelay * 1000;
    if (placeDelayMs !== this.#placeDelayMs) this.#out.row(0, KIND.placeDelay, SIDE.bid, 0, placeDelayMs);
    this.#placeDelayMs = placeDelayMs;
  }

  /** YES payout, bps; undefined before the decision. A removed runner cancels the bets, even in an open market. */
  #payout(definition: MarketDefinition): number | undefined {
    const statuses = this.runners.map(({ id }) => definition.runners.find((runner) => runner.id === id)?.status);
    if (statuses.some((status) => status?.startsWith('REMOVED'))) return CANCELLED_PAYOUT;
    if (definition.status !== 'CLOSED') return undefined;
    const [yes, no] = statuses.map((status) => status === 'WINNER');
    if (yes === true && no === true) return 5_000; // dead heat
    if (yes === true) return 10_000;
    return no === true || (no === undefined && statuses[0] === 'LOSER') ? 0 : CANCELLED_PAYOUT;
  }

  #count(update: TapeUpdate): void {
    const { counts } = this;
    if (counts.messages === 0) counts.firstAt = update.publishedAt;
    else if (update.publishedAt === counts.lastAt) counts.sameMillisecond += 1;
    counts.lastAt = update.publishedAt;
    counts.messages += 1;
    if (update.image) counts.images += 1;
    if (update.conflated) counts.conflated += 1;
    for (const { changes, increments } of update.runners) {
      for (const change of changes) this.#countFields(change);
      if (update.image) counts.imageTotals += increments.length;
      else if (update.revaluation) countRevaluation(counts, update.number, increments);
      else countGrowth(counts, increments);
    }
    counts.matchedPence = Math.max(
      counts.matchedPence,
      this.runners.reduce((sum, runner) => sum + runner.tradedPence, 0),
    );
  }

  #countFields(change: RunnerChange): void {
    const { counts } = this;
    for (const field of ['atb', 'atl', 'trd'] as const) {
      if (change[field] !== undefined) counts.changes[field] += 1;
      for (const [odds] of change[field] ?? []) {
        counts.entries[field] += 1;
        if (!LADDER_ODDS.has(odds)) counts.offLadder += 1;
      }
    }
    if (change.ltp !== undefined) counts.changes.ltp += 1;
    if (change.tv !== undefined) counts.changes.tv += 1;
  }

  #countState(): void {
    const { openStates } = this.counts;
    const { topBid, topAsk } = this.book.shown;
    openStates.count += 1;
    if (this.book.shown.crossed()) openStates.crossed += 1;
    if (this.runners.length < 2) return;
    const [first] = this.runners;
    const [back, lay] = [first.bestOdds('atb'), first.bestOdds('atl')];
    if (back !== undefined && topAsk < yesPrice('atb', back, false).price) openStates.secondImprovesAsk += 1;
    if (lay !== undefined && topBid > yesPrice('atl', lay, false).price) openStates.secondImprovesBid += 1;
  }
}

function countGrowth(counts: BetfairCounts, increments: readonly Increment[]): void {
  for (const { odds, pence } of increments) {
    if (pence === 0) {
      counts.repeated += 1;
      continue;
    }
    counts.increments += 1;
    counts.grownMicroShares += 100 * odds * pence;
  }
}

function countRevaluation(counts: BetfairCounts, number: number, increments: readonly Increment[]): void {
  const { revaluations, resets } = counts;
  if (increments.length > 0 && revaluations.messages.at(-1) !== number) revaluations.messages.push(number);
  for (const { pence, total } of increments) {
    if (total === 0) {
      resets.entries += 1;
      resets.pence += pence;
      continue;
    }
    revaluations.entries += 1;
    if (pence > 0) revaluations.plusPence += pence;
    else revaluations.minusPence += pence;
  }
}
