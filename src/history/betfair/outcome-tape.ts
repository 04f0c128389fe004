import { Ladder } from '../../book/index.ts';
import { LOT } from '../../domain/index.ts';
import { type BlockWriter, CANCELLED_PAYOUT, KIND, SIDE, STATUS_CODES } from '../../tape/index.ts';
import { type BetfairCounts, makeCounts } from './counts.ts';
import type { MarketDefinition, RunnerChange } from './message.ts';
import { classicOdds, toYesPrice } from './odds.ts';
import { computeMergedPrints, computeSinglePrints, type RunnerTrades } from './prints.ts';
import { type Increment, RunnerBook } from './runner-book.ts';

/** A lot in units of exact sizes: pence x hundredths of odds, 10^-4 share. */
const EXACT_PER_LOT = 100;

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
  /** Whether the message is an image, which replaces books and totals without trades. */
  readonly isImage: boolean;
  readonly isConflated: boolean;
  /** Whether a total of the market decreased. The message then has no trades. */
  readonly isRevaluation: boolean;
  readonly definition: MarketDefinition | undefined;
  readonly runners: readonly RunnerUpdate[];
}

/**
 * Turns the messages of one YES/NO market into rows: one runner against the field, or two runners merged into one book.
 *
 * Invariants: each message makes one tape message: prints, then levels, then status, delay and resolution. Trades thus
 * come before a suspension in the same message. No row follows the resolution.
 */
export class OutcomeTape {
  readonly counts: BetfairCounts = makeCounts();
  readonly book: YesBook = new YesBook();
  /** The YES runner, and the NO runner of a merged market. */
  readonly runners: readonly [RunnerBook, ...RunnerBook[]];
  readonly plan: TapePlan;
  readonly #out: BlockWriter;
  #definition: MarketDefinition | undefined;
  #status = -1;
  #placeDelayMs = 0;
  isResolved = false;

  constructor(plan: TapePlan, out: BlockWriter) {
    this.plan = plan;
    this.#out = out;
    const yes = new RunnerBook(plan.yes, 'YES');
    this.runners = plan.no === undefined ? [yes] : [yes, new RunnerBook(plan.no, 'NO')];
  }

  apply(update: TapeUpdate): void {
    if (this.isResolved) {
      for (const { increments } of update.runners) this.counts.afterEnd += increments.length;
      return;
    }
    this.#countMessage(update);
    this.#out.begin(update.publishedAt, update.publishedAt);
    const trades = update.runners.map(({ runner, changes, increments }) => ({
      runner,
      staged: runner.stage(changes),
      increments: increments.filter(({ pence }) => pence > 0),
    }));
    if (update.isImage) {
      this.book.clear();
      this.#out.row(0, KIND.clear, SIDE.bid, 0, 0);
    } else if (!update.isRevaluation) this.#writePrints(trades);
    for (const { runner, staged } of trades) {
      runner.apply(staged, (side, odds, before, pence) => {
        const level = toYesPrice(side, odds, runner.isMirrored);
        this.book.add(level.side, level.price, (pence - before) * odds);
      });
    }
    this.book.flush(this.#out);
    if (update.definition !== undefined) this.#applyDefinition(update.definition);
    if (this.#out.end() === 0) this.counts.withoutRows += 1;
    if (this.#definition?.status === 'OPEN') this.#countOpenState();
  }

  #writePrints(trades: readonly RunnerTrades[]): void {
    const [first] = trades;
    if (first === undefined) return;
    const mid = this.book.shown.doubleMid();
    const result = this.runners.length === 2 ? computeMergedPrints(trades, mid) : computeSinglePrints(first, mid);
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

  #applyDefinition(definition: MarketDefinition): void {
    this.#definition = definition;
    const payout = this.#computePayout(definition);
    if (payout !== undefined) {
      this.isResolved = true;
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

  /** Returns the YES payout in bps; undefined before the decision. A removed runner voids the market at once. */
  #computePayout(definition: MarketDefinition): number | undefined {
    const statuses = this.runners.map(({ id }) => definition.runners.find((runner) => runner.id === id)?.status);
    if (statuses.some((status) => status?.startsWith('REMOVED'))) return CANCELLED_PAYOUT;
    if (definition.status !== 'CLOSED') return undefined;
    const [yes, no] = statuses.map((status) => status === 'WINNER');
    if (yes === true && no === true) return 5_000; // dead heat
    if (yes === true) return 10_000;
    return no === true || (no === undefined && statuses[0] === 'LOSER') ? 0 : CANCELLED_PAYOUT;
  }

  #countMessage(update: TapeUpdate): void {
    const { counts } = this;
    if (counts.messages === 0) counts.firstAt = update.publishedAt;
    else if (update.publishedAt === counts.lastAt) counts.sameMillisecond += 1;
    counts.lastAt = update.publishedAt;
    counts.messages += 1;
    if (update.isImage) counts.images += 1;
    if (update.isConflated) counts.conflated += 1;
    for (const { changes, increments } of update.runners) {
      for (const change of changes) this.#countFields(change);
      if (update.isImage) counts.imageTotals += increments.length;
      else if (update.isRevaluation) countRevaluation(counts, update.number, increments);
      else countIncrements(counts, increments);
    }
    const tradedPence = this.runners.reduce((sum, runner) => sum + runner.tradedPence, 0);
    counts.matchedPence = Math.max(counts.matchedPence, tradedPence);
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

  #countOpenState(): void {
    const { openStates } = this.counts;
    const { topBid, topAsk } = this.book.shown;
    openStates.count += 1;
    if (this.book.shown.crossed()) openStates.crossed += 1;
    if (this.runners.length < 2) return;
    const [first] = this.runners;
    const [back, lay] = [first.bestOdds('atb'), first.bestOdds('atl')];
    if (back !== undefined && topAsk < toYesPrice('atb', back, first.isMirrored).price)
      openStates.secondImprovesAsk += 1;
    if (lay !== undefined && topBid > toYesPrice('atl', lay, first.isMirrored).price) openStates.secondImprovesBid += 1;
  }
}

function countIncrements(counts: BetfairCounts, increments: readonly Increment[]): void {
  for (const { odds, pence } of increments) {
    counts[pence === 0 ? 'repeated' : 'increments'] += 1;
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

/** The tape's book: exact sizes at each price, rounded **down** to lots for the rows. */
class YesBook {
  /** The book as on the tape: micro-shares, rounded **down** to whole lots. */
  readonly shown: Ladder = new Ladder(1);
  readonly #exact = [new Float64Array(10_000), new Float64Array(10_000)] as const;
  readonly #changed = [new Set<number>(), new Set<number>()] as const;

  /** Changes the size at a price. @param exact increase, in 10^-4 share */
  add(side: typeof SIDE.bid | typeof SIDE.ask, price: number, exact: number): void {
    const sums = this.#exact[side];
    sums[price] = (sums[price] ?? 0) + exact;
    this.#changed[side].add(price);
  }

  /** Empties the book; the caller writes the `clear` row. */
  clear(): void {
    this.shown.clear();
    for (const sums of this.#exact) sums.fill(0);
    for (const prices of this.#changed) prices.clear();
  }

  /** Writes a level row for each price whose lots changed since the last call. */
  flush(out: BlockWriter): void {
    for (const side of [SIDE.bid, SIDE.ask]) {
      const sums = this.#exact[side];
      for (const price of this.#changed[side]) {
        const shares = Math.floor((sums[price] ?? 0) / EXACT_PER_LOT) * LOT;
        const before = side === SIDE.bid ? this.shown.bidAt(price) : this.shown.askAt(price);
        if (shares === before) continue;
        this.shown.set(side, price, shares);
        out.row(0, KIND.level, side, price, shares);
      }
      this.#changed[side].clear();
    }
  }
}
