import { LOT } from '../../domain/index.ts';
import { type BlockWriter, CANCELLED_PAYOUT, KIND, SIDE, STATUS_CODES } from '../../tape/index.ts';
import { type BetfairCounts, noCounts } from './counts.ts';
import type { MarketDefinition, RunnerChange } from './message.ts';
import { classicOdds, type OddsSide, yesPrice } from './odds.ts';
import { mergedPrints, type RunnerTrades, singlePrints } from './prints.ts';
import { type Increment, RunnerBook } from './runner-book.ts';
import { YesBook } from './yes-book.ts';

const LADDER: ReadonlySet<number> = new Set(classicOdds());

/** Which tape is to be written: the runner that is YES, and the one that is NO where two are merged. */
export interface TapePlan {
  readonly market: string;
  readonly yes: number;
  readonly no: number | undefined;
  readonly definition: MarketDefinition;
}

/** All that one message says about one runner of this tape, with what its traded totals grew by. */
export interface RunnerUpdate {
  readonly runner: RunnerBook;
  /** Levels and trades of a runner may come in changes of their own. */
  readonly changes: readonly RunnerChange[];
  readonly increments: readonly Increment[];
}

export interface TapeUpdate {
  readonly number: number;
  readonly publishedAt: number;
  /** Everything known was dropped before; totals are a new base, whatever was traded meanwhile has no time of its own. */
  readonly image: boolean;
  readonly conflated: boolean;
  /** Some total of the market fell: its message holds no trades. */
  readonly revaluation: boolean;
  readonly definition: MarketDefinition | undefined;
  readonly runners: readonly RunnerUpdate[];
}

/**
 * Turns the messages of one YES/NO market into rows: one runner against the field, or two runners merged into one book.
 *
 * Invariants: one message is one tape message, prints first, then levels, then status, delay and resolution, so that
 * trades before a suspension come before it. After the resolution there is nothing more.
 */
export class OutcomeTape {
  readonly counts: BetfairCounts = noCounts();
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

  apply(news: TapeUpdate): void {
    if (this.resolved) {
      for (const { increments } of news.runners) this.counts.afterEnd += increments.length;
      return;
    }
    this.#count(news);
    this.#out.begin(news.publishedAt, news.publishedAt);
    const trades = news.runners.map(({ runner, changes, increments }) => ({
      runner,
      staged: runner.stage(changes),
      increments: increments.filter(({ pence }) => pence > 0),
    }));
    if (news.image) {
      this.book.clear();
      this.#out.row(0, KIND.clear, SIDE.bid, 0, 0);
    } else if (!news.revaluation) this.#print(trades);
    for (const { runner, staged } of trades) {
      runner.apply(staged, (side, odds, was, pence) => this.#level(runner, side, odds, (pence - was) * odds));
    }
    this.book.flush(0, this.#out);
    if (news.definition !== undefined) this.#define(news.definition);
    if (this.#out.end() === 0) this.counts.withoutRows += 1;
    if (this.#definition?.status === 'OPEN') this.#countState();
  }

  #print(trades: readonly RunnerTrades[]): void {
    const [first] = trades;
    if (first === undefined) return;
    const mid = this.book.shown.doubleMid();
    const made = this.runners.length === 2 ? mergedPrints(trades, mid) : singlePrints(first, mid);
    const counted = this.counts.prints;
    counted.exactMicroShares += made.microShares;
    counted.otherSide += made.otherSide;
    counted.otherSideMicroShares += made.otherSideMicroShares;
    for (const { side, price, lots, microShares } of made.prints) {
      if (lots === 0) {
        counted.belowOneLot += 1;
        counted.belowOneLotMicroShares += microShares;
        continue;
      }
      this.#out.row(0, KIND.trade, side, price, lots * LOT);
      counted.count += 1;
      counted.lots += lots;
      counted.largestLots = Math.max(counted.largestLots, lots);
      counted[side === SIDE.bid ? 'buy' : side === SIDE.ask ? 'sell' : 'unknown'] += 1;
    }
  }

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

  /** What YES pays, if that is known by now. A runner that is removed voids the bets on it, closed market or not. */
  #payout(definition: MarketDefinition): number | undefined {
    const statuses = this.runners.map(({ id }) => definition.runners.find((runner) => runner.id === id)?.status);
    if (statuses.some((status) => status?.startsWith('REMOVED'))) return CANCELLED_PAYOUT;
    if (definition.status !== 'CLOSED') return undefined;
    const [yes, no] = statuses.map((status) => status === 'WINNER');
    if (yes === true && no === true) return 5_000; // a dead heat of the only two
    if (yes === true) return 10_000;
    return no === true || (no === undefined && statuses[0] === 'LOSER') ? 0 : CANCELLED_PAYOUT;
  }

  #count(news: TapeUpdate): void {
    const { counts } = this;
    if (counts.messages === 0) counts.firstAt = news.publishedAt;
    else if (news.publishedAt === counts.lastAt) counts.sameMillisecond += 1;
    counts.lastAt = news.publishedAt;
    counts.messages += 1;
    if (news.image) counts.images += 1;
    if (news.conflated) counts.conflated += 1;
    for (const { changes, increments } of news.runners) {
      for (const change of changes) this.#countFields(change);
      if (news.image) counts.imageTotals += increments.length;
      else if (news.revaluation) countRevaluation(counts, news.number, increments);
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
        if (!LADDER.has(odds)) counts.offLadder += 1;
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
