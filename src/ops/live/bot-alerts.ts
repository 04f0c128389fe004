/** Logs and alerts of a running bot about ended markets, reversed fills and a lost log. */
import { formatShares, formatTime, isFinal, type MarketStatus, timeAfter, toCents } from '../../domain/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { TradedMarket } from '../../state/index.ts';
import { holdingsWorth } from './bot-view.ts';
import type { LiveBotDeps } from './live-bot-deps.ts';

type MarketStatusDeps = Pick<LiveBotDeps, 'state' | 'log' | 'alert'>;
type LogWatchDeps = Pick<LiveBotDeps, 'clock' | 'log' | 'alert' | 'logProblem'>;

/** Reports markets that close, end or reopen while a bot runs, with their outcome, holdings and payout. */
export class MarketStatusWatch {
  readonly #deps: MarketStatusDeps;
  readonly #reported = new Map<number, MarketStatus>();
  #isOver = false;

  constructor(deps: MarketStatusDeps) {
    this.#deps = deps;
  }

  /** Reports changes since the last call. The first call also reports markets that ended earlier. */
  check(): void {
    const { markets } = this.#deps.state;
    for (const market of markets) {
      const { status } = market.state;
      const before = this.#reported.get(market.info.market) ?? 'OPEN';
      if (status === before) continue;
      this.#reported.set(market.info.market, status);
      this.#report(market);
    }
    const isOver = markets.length > 0 && markets.every(({ state }) => isFinal(state.status));
    if (isOver && !this.#isOver) this.#deps.log.warn({}, 'every market has ended: nothing is left to trade');
    this.#isOver = isOver;
  }

  #report(market: TradedMarket): void {
    const { log, alert } = this.#deps;
    const { info, position } = market;
    const { status } = market.state;
    const worth = holdingsWorth(market);
    const fields = { market: info.slug, status, yes: position.yes, no: position.no, worth };
    const outcome = STATUS_TEXTS[status];
    if (outcome === undefined) {
      log.info(fields, 'a market is open again');
      return;
    }
    const isHeld = position.yes > 0 || position.no > 0;
    if (isFinal(status)) log.warn(fields, `a market has ended: ${outcome}`);
    else log.warn(fields, `a market is not traded now: ${outcome}`);
    if (isFinal(status) && isHeld) {
      const usd = (worth / 1_000_000).toFixed(2);
      const text = `${info.slug} has ended: ${outcome}. The holdings there are worth $${usd}`;
      alert('market', `halfspread: ${text}`, fields);
    }
  }
}

const STATUS_TEXTS: Readonly<Partial<Record<MarketStatus, string>>> = {
  PENDING_RESOLUTION: 'its outcome is being decided',
  RESOLVED: 'its outcome is decided, the payout is still to come',
  RESOLVED_YES: 'YES won, NO pays nothing',
  RESOLVED_NO: 'NO won, YES pays nothing',
  RESOLVED_UNCERTAIN: 'it has no winner, YES and NO pay half',
  RESOLUTION_FAILED: 'its outcome could not be decided',
  CANCELLED: 'it was cancelled, what was paid is refunded',
  PENDING_BLOCKCHAIN: 'the payout is being reported',
};

export function reportReversedFills(steps: readonly Step[], { state, log, alert }: MarketStatusDeps): void {
  for (const { event } of steps) {
    if (event?.type !== 'fillReversed') continue;
    const { market, order, trade, outcome, side, price, shares } = event;
    const { slug } = state.market(market).info;
    const terms = { market: slug, order, trade, outcome, side, priceBps: price, shares };
    const tradeText = `${side === 'BUY' ? 'purchase' : 'sale'} of ${formatShares(shares)} ${outcome} at ${toCents(price)} cents`;
    const text = `fill reversed: the venue took back the ${tradeText} in ${slug} (order ${order}, trade ${trade})`;
    log.warn(terms, text);
    alert('fill_reversed', `halfspread: ${text}. Position, cash and P&L no longer include it`, terms);
  }
}

/** Interval of the warnings while the log is lost, ms. Each warning also tries to write the log again. */
const RETRY_MS = 10_000;

/** Reports once when the log cannot be written, and once when the log is written again. */
export class LogWatch {
  readonly #deps: LogWatchDeps;
  #lost: { readonly since: string; nextTryAt: number } | undefined;

  constructor(deps: LogWatchDeps) {
    this.#deps = deps;
  }

  check(): void {
    const { clock, log, alert, logProblem } = this.#deps;
    const problem = logProblem();
    const now = clock.now();
    if (this.#lost === undefined) {
      if (problem === undefined) return;
      this.#lost = { since: formatTime(now), nextTryAt: timeAfter(now, RETRY_MS) };
      alert('log', `halfspread: ${problem}. Trading continues. The log resumes when it can be written`, { problem });
      return;
    }
    if (now < this.#lost.nextTryAt) return;
    const { since } = this.#lost;
    this.#lost = problem === undefined ? undefined : { since, nextTryAt: timeAfter(now, RETRY_MS) };
    if (problem === undefined) log.warn({ since }, 'the log is written again: lines since `since` may be missing');
    else log.warn({ since, problem }, 'the log is not written');
  }
}
