/** Daily summary: P&L by cause, fills, refusals and uptime since the last summary, or since trading began. */
import { TimeIntegral } from '../../analytics/index.ts';
import { repeatEvery } from '../../clock/index.ts';
import {
  type EpochMs,
  type FillReversed,
  formatTime,
  LOT,
  type OrderFilled,
  yesPrice,
  yesSign,
} from '../../domain/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { AccountView } from '../../state/index.ts';
import type { BotStatus } from '../control/bot-port.ts';
import type { LiveBotDeps } from '../live/live-bot-deps.ts';
import { refusedText, rejectedText, sumCounts, usdText as usd } from '../watch/run-summary.ts';
import type { LocalTime } from './local-time.ts';

export interface DailySummaryDeps extends Pick<LiveBotDeps, 'clock' | 'alert' | 'counters'> {
  readonly localTime: LocalTime;
  /** Time of the summary, minutes since local midnight. */
  readonly minute: number;
  readonly state: AccountView;
  readonly status: () => Pick<BotStatus, 'mode' | 'openOrders' | 'equity'>;
  /** Whether the bot may quote now: connected, reconciled and ACTIVE. */
  readonly isTrading: () => boolean;
}

const SAMPLE_MS = 1_000;

export class DailySummary {
  readonly #deps: DailySummaryDeps;
  /** Totals since the process began, micro-USD. The spread is counted in half micro-USD, which keeps the sum exact. */
  readonly #sums = { spreadHalfMicros: 0, commission: 0, rewards: 0 };
  /** Spread of each fill that the venue can still reverse, half micro-USD, by `fillKey`. */
  readonly #provisional = new Map<string, number>();
  #periodStart: EpochMs;
  #totalsAtStart: Totals;
  #trading = new TimeIntegral();
  #stopSamples: () => void = () => {};
  #cancelSummary: () => void = () => {};

  constructor(deps: DailySummaryDeps) {
    this.#deps = deps;
    this.#periodStart = deps.clock.now();
    this.#totalsAtStart = computeTotals(deps, this.#sums);
  }

  begin(): void {
    this.#stopSamples = repeatEvery(this.#deps.clock, SAMPLE_MS, () => this.#sample());
    this.#startPeriod();
  }

  close(): void {
    this.#stopSamples();
    this.#cancelSummary();
  }

  onSteps(steps: readonly Step[]): void {
    for (const { event } of steps) {
      if (event?.type === 'orderFilled') this.#onFilled(event);
      else if (event?.type === 'fillSettled') this.#provisional.delete(fillKey(event.order, event.trade));
      else if (event?.type === 'fillReversed') this.#onReversed(event);
      else if (event?.type === 'converted') this.#sums.commission += event.fee;
      else if (event?.type === 'makerPaid') this.#sums.rewards += event.amount;
    }
  }

  #onFilled({ order, trade, provisional, market, outcome, side, price, shares }: OrderFilled): void {
    const mark = this.#deps.state.markets[market]?.mark;
    if (mark === undefined) return;
    const spread = yesSign(outcome, side) * (shares / LOT) * (mark - 2 * yesPrice(outcome, price));
    this.#sums.spreadHalfMicros += spread;
    if (provisional === true && trade !== undefined) this.#provisional.set(fillKey(order, trade), spread);
  }

  #onReversed({ order, trade }: FillReversed): void {
    const key = fillKey(order, trade);
    this.#sums.spreadHalfMicros -= this.#provisional.get(key) ?? 0;
    this.#provisional.delete(key);
  }

  #startPeriod(): void {
    const { clock, localTime, minute } = this.#deps;
    this.#periodStart = clock.now();
    this.#totalsAtStart = computeTotals(this.#deps, this.#sums);
    this.#trading = new TimeIntegral();
    this.#sample();
    this.#cancelSummary = clock.schedule(localTime.next(this.#periodStart, minute), () => {
      this.#send();
      this.#startPeriod();
    });
  }

  #sample(): void {
    this.#trading.set(this.#deps.clock.now(), this.#deps.isTrading() ? 1 : 0);
  }

  #send(): void {
    const { clock, alert, status } = this.#deps;
    const now = clock.now();
    const [totals, before] = [computeTotals(this.#deps, this.#sums), this.#totalsAtStart];
    const change = (name: Exclude<keyof Totals, 'refused' | 'rejected'>): number => totals[name] - before[name];
    const refused = countsBetween(totals.refused, before.refused);
    const rejected = countsBetween(totals.rejected, before.rejected);
    const { mode, openOrders, equity } = status();
    const fields = {
      since: formatTime(this.#periodStart),
      pnlMicros: change('pnl'),
      spreadMicros: change('spread'),
      // The rest of the P&L: gains and losses of holdings, and payouts.
      inventoryMicros: change('pnl') - change('spread') + change('fees') + change('commission') - change('rewards'),
      feesMicros: -change('fees'),
      commissionMicros: -change('commission'),
      rewardsMicros: change('rewards'),
      contributedMicros: change('contributed'),
      fills: change('fills'),
      makerFills: change('makerFills'),
      volumeMicros: change('volume'),
      refused: sumCounts(refused),
      rejected: sumCounts(rejected),
      uptimeMs: now - this.#periodStart,
      tradingPercent: Math.round(1_000 * this.#trading.mean(now)) / 10,
      equityMicros: equity,
      openOrders,
    };
    const { pnlMicros, spreadMicros, inventoryMicros, feesMicros, commissionMicros, rewardsMicros } = fields;
    const uptime = durationText(fields.uptimeMs);
    const transfers = `Deposits and withdrawals, and rewards and rebates without a record: ${usd(fields.contributedMicros)}, not part of the P&L`;
    const rewards = rewardsMicros === 0 ? '' : `, rebates and rewards ${usd(rewardsMicros)}`;
    const lines = [
      `halfspread: summary of ${uptime}, since ${fields.since.slice(0, 16).replace('T', ' ')} UTC`,
      `P&L ${usd(pnlMicros)}: spread ${usd(spreadMicros)}, inventory and settlement ${usd(inventoryMicros)}, fees ${usd(feesMicros)}, commission ${usd(commissionMicros)}${rewards}`,
      ...(fields.contributedMicros === 0 ? [] : [transfers]),
      `Fills: ${fields.fills} (${fields.makerFills} as maker), volume ${usd(fields.volumeMicros)}`,
      `Refused: ${refusedText(refused)}`,
      `Rejected: ${rejectedText(rejected)}`,
      `Uptime: ${uptime}, trading ${fields.tradingPercent} % of it`,
      `Now: ${mode}, ${openOrders} open orders, equity ${usd(equity)}`,
    ];
    alert('summary', lines.join('\n'), fields);
  }
}

type Totals = Readonly<ReturnType<typeof computeTotals>>;

/** Returns totals since the process began, amounts in micro-USD. Rounds the spread **down**. */
function computeTotals(
  { state, counters }: DailySummaryDeps,
  { spreadHalfMicros, commission, rewards }: Readonly<Record<'spreadHalfMicros' | 'commission' | 'rewards', number>>,
) {
  const { fees, fillCount: fills, makerFills, volume, refused, rejected } = counters;
  const { contributed } = state;
  const pnl = state.exitEquity - contributed;
  const spread = Math.floor(spreadHalfMicros / 2);
  return { pnl, spread, fees, commission, rewards, contributed, fills, makerFills, volume, refused, rejected };
}

function countsBetween(now: Totals['refused'], before: Totals['refused']): Totals['refused'] {
  const counts = Object.entries(now).map(([code, count]) => [code, count - (before[code] ?? 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function fillKey(order: number, trade: string): string {
  return `${order} ${trade}`;
}

function durationText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const rest = minutes % 60 === 0 ? '' : ` ${minutes % 60} min`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h${rest}`;
}
