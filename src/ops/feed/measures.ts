/** Measurements of a running bot: each market, and the venue's answer times. */
import type { UptimeConditions } from '../../analytics/index.ts';
import { DAY_MS, LOT, lotsOf, type MarketNo, type OrderFilled, type OrderNo, yesSign } from '../../domain/index.ts';
import { addHalves, type SplitHalves, ZERO_HALVES } from '../../ledger/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { AccountState, TradedMarket } from '../../state/index.ts';
import { MARKOUT_LABELS, MeasuredMarket, netLots } from './measured-market.ts';
import type { BotReport, MarkoutTotal } from './report-types.ts';

/** Number of latest answers that the quantiles cover. */
const MAX_ANSWERS = 512;
const MAX_UNANSWERED_ORDERS = 4_096;

/** P&L by cause since `from`, half micro-USD. */
export interface SplitSince {
  /** Epoch ms. */
  readonly from: number;
  readonly halves: SplitHalves;
}

export interface MeasuresOptions {
  readonly state: AccountState;
  readonly uptimeConditions: UptimeConditions;
  /** Start of the process, epoch ms. */
  readonly startedAt: number;
  /** Receives the ms from each place command to the venue's first answer. */
  readonly onAnswer?: (ms: number) => void;
}

/** P&L by cause, open time, and open time with quotes on both sides, ms. */
const ZERO_TOTALS = { halves: ZERO_HALVES, open: 0, both: 0 };

export class Measures {
  readonly #options: MeasuresOptions;
  readonly #markets = new Map<MarketNo, MeasuredMarket>();
  /** Values of each measured market at the last midnight UTC. */
  #dayStarts = new Map<MarketNo, Readonly<typeof ZERO_TOTALS>>();
  #day: number;
  /** Send time of each unanswered order, epoch ms. */
  readonly #sentAt = new Map<OrderNo, number>();
  #answers: number[] = [];
  #answerCount = 0;

  constructor(options: MeasuresOptions) {
    this.#options = options;
    this.#day = Math.floor(options.startedAt / DAY_MS);
  }

  onSteps(steps: readonly Step[]): void {
    for (const { time, event, commands } of steps) {
      for (const command of commands) {
        if (command.type === 'place') this.#recordSent(command.order, time);
        else if (command.type === 'replace') for (const { order } of command.places) this.#recordSent(order, time);
      }
      if (event?.type === 'orderAccepted' || event?.type === 'orderRejected') this.#recordAnswer(event.order, time);
      else if (event?.type === 'orderFilled') {
        this.#recordAnswer(event.order, time);
        this.#forMarket(event.market, event).addFill(event);
      } else if (event?.type === 'fillReversed') this.#markets.get(event.market)?.reverseFill(event);
      else if (event?.type === 'makerPaid') this.#forMarket(event.market).addReward(event.amount);
      else if (event?.type === 'holdingAdjusted')
        this.#markets.get(event.market)?.setNetLots(netLots(this.#options.state.market(event.market)));
    }
  }

  /** Samples marks, books and orders. Called ten times a second. @param now epoch ms */
  sample(now: number): void {
    const day = Math.floor(now / DAY_MS);
    if (day > this.#day) {
      this.#day = day;
      this.#dayStarts = new Map(
        [...this.#markets].map(([market, each]) => [market, { halves: each.halves(), ...each.openTimes(now) }]),
      );
    }
    for (const market of this.#options.state.markets) {
      const measured = this.#markets.get(market.info.market);
      if (measured !== undefined) measured.sample(now);
      else if (market.orders.length > 0 || market.position.net !== 0) {
        // Measuring starts at the first mark, which values the position.
        if (market.mark !== undefined) this.#startMeasuring(market).sample(now);
      }
    }
  }

  market(market: MarketNo): MeasuredMarket | undefined {
    return this.#markets.get(market);
  }

  /** Returns P&L by cause since midnight UTC, or since a later start of the process. @param market default: all */
  pnlToday(market?: MarketNo): SplitSince {
    const from = Math.max(this.#options.startedAt, this.#day * DAY_MS);
    const parts = this.#measured(market).map(([number, each]) =>
      subtractHalves(each.halves(), (this.#dayStarts.get(number) ?? ZERO_TOTALS).halves),
    );
    return { from, halves: parts.reduce(addHalves, ZERO_HALVES) };
  }

  pnlSinceStart(market: MarketNo): SplitSince {
    return { from: this.#options.startedAt, halves: this.#markets.get(market)?.halves() ?? ZERO_HALVES };
  }

  /** Returns the part of the open time since midnight UTC with two-sided quotes, 0 to 1; undefined if never open. */
  twoSided(now: number, market?: MarketNo): number | undefined {
    let [open, both] = [0, 0];
    for (const [number, each] of this.#measured(market)) {
      const start = this.#dayStarts.get(number) ?? ZERO_TOTALS;
      const times = each.openTimes(now);
      open += times.open - start.open;
      both += times.both - start.both;
    }
    return open > 0 ? both / open : undefined;
  }

  /** Compares all maker fills of this process with the mark at the fill and at each horizon. */
  markouts(): readonly MarkoutTotal[] {
    const markets = [...this.#markets.values()].map((market) => market.markoutTotals());
    return MARKOUT_LABELS.map((after, index) => {
      const sum = (field: 'lots' | 'halfBpsTimesLots'): number =>
        markets.reduce((total, totals) => total + (totals[index]?.[field] ?? 0), 0);
      return { after, micros: sum('halfBpsTimesLots') / 2, shares: sum('lots') * LOT };
    });
  }

  /** Returns the times from place commands to the venue's first answers; null before the first answer. */
  answerTimes(): BotReport['answerTimes'] {
    if (this.#answers.length === 0) return null;
    const sorted = this.#answers.toSorted((a, b) => a - b);
    const quantile = (fraction: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))] ?? 0;
    return { count: this.#answerCount, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
  }

  #measured(market: MarketNo | undefined): readonly (readonly [MarketNo, MeasuredMarket])[] {
    if (market === undefined) return [...this.#markets];
    const measured = this.#markets.get(market);
    return measured === undefined ? [] : [[market, measured]];
  }

  #startMeasuring(market: TradedMarket, lots = netLots(market)): MeasuredMarket {
    const measured = new MeasuredMarket(market, this.#options.uptimeConditions, lots);
    this.#markets.set(market.info.market, measured);
    return measured;
  }

  /** Returns the market's measurement. The state includes `fill`; a new measurement starts before it. */
  #forMarket(market: MarketNo, fill?: OrderFilled): MeasuredMarket {
    const tradedMarket = this.#options.state.market(market);
    const filledLots = fill === undefined ? 0 : yesSign(fill.outcome, fill.side) * lotsOf(fill.shares);
    return this.#markets.get(market) ?? this.#startMeasuring(tradedMarket, netLots(tradedMarket) - filledLots);
  }

  #recordSent(order: OrderNo, time: number): void {
    this.#sentAt.set(order, time);
    if (this.#sentAt.size <= MAX_UNANSWERED_ORDERS) return;
    const [oldest] = this.#sentAt.keys();
    if (oldest !== undefined) this.#sentAt.delete(oldest);
  }

  #recordAnswer(order: OrderNo, time: number): void {
    const sentAt = this.#sentAt.get(order);
    if (sentAt === undefined) return;
    this.#sentAt.delete(order);
    this.#answers[this.#answerCount % MAX_ANSWERS] = time - sentAt;
    this.#answerCount += 1;
    this.#options.onAnswer?.(time - sentAt);
  }
}

function subtractHalves(a: SplitHalves, b: SplitHalves): SplitHalves {
  const [spread, inventory, settlement] = [-b.spread, -b.inventory, -b.settlement];
  return addHalves(a, { spread, inventory, settlement, fees: -b.fees, rewards: -b.rewards });
}
