/** The state of a running bot for operators. */
import { INVALID_FEE_BPS } from '../../domain/index.ts';
import { exitValue } from '../../ledger/index.ts';
import { flattenObstacles } from '../../runtime/index.ts';
import type { AccountState, TradedMarket } from '../../state/index.ts';
import type { BotFill, BotOrder, BotPosition, BotStatus, MarketStatusLine } from '../control/bot-port.ts';
import type { RunCounters } from '../watch/run-counters.ts';
import type { LiveBotDeps } from './live-bot-deps.ts';
import { nextStep, venueModeReason } from './mode-text.ts';

export function listOrders(state: AccountState): readonly BotOrder[] {
  return state.markets.flatMap(({ info, orders }) =>
    orders.map(({ order, outcome, side, price, remaining, phase, since, tag = null }) => {
      return { order, market: info.slug, outcome, side, priceBps: price, remaining, phase, since, tag };
    }),
  );
}

export function listPositions(state: AccountState): readonly BotPosition[] {
  return state.markets
    .map((market) => {
      const { yes, no, yesCost, noCost, realized, fees } = market.position;
      return { market: market.info.slug, yes, no, yesCost, noCost, worth: holdingsWorth(market), realized, fees };
    })
    .filter(({ yes, no, realized }) => yes !== 0 || no !== 0 || realized !== 0);
}

/** Returns the value of a market's holdings at the exit side, or the payout of an ended market, micro-USD. */
export function holdingsWorth(market: TradedMarket): number {
  const { yes, no, settlement, owed } = market.position;
  const { exitBid, exitAsk } = market.snapshot();
  return settlement === undefined ? exitValue(yes, no, exitBid, exitAsk) : owed;
}

export function listFills(state: AccountState, counters: RunCounters, limit: number): readonly BotFill[] {
  return counters
    .fills(limit)
    .map(({ time, order, market, outcome, side, price, shares, fee, liquidity, trade = null, tag = null }) => {
      const { slug } = state.market(market).info;
      return { time, order, market: slug, outcome, side, priceBps: price, shares, fee, liquidity, trade, tag };
    });
}

/** @param ageMs age of the book; undefined before the book's first message */
export function marketLine(
  market: TradedMarket,
  { gate, limits: { maxFeeBps }, changes }: Pick<LiveBotDeps, 'gate' | 'limits' | 'changes'>,
  ageMs: number | undefined,
): MarketStatusLine {
  const { info, state: venueState, book, orders, position, limits } = market;
  const { status, acceptingOrders } = venueState;
  return {
    slug: info.slug,
    id: info.id,
    status,
    acceptingOrders,
    strategy: changes.strategyOn(info.market) ?? null,
    bidBps: book.bestBid() ?? null,
    askBps: book.bestAsk() ?? null,
    bookAgeMs: ageMs === undefined || !Number.isFinite(ageMs) ? null : Math.round(ageMs),
    openOrders: orders.length,
    position: position.net,
    worth: holdingsWorth(market),
    feeBps: limits.feeRateBps === INVALID_FEE_BPS ? null : limits.feeRateBps,
    acceptedFeeBps: Math.min(market.acceptedFeeBps, maxFeeBps),
    stopped: gate.feeRefusal(market)?.code ?? null,
  };
}

interface StatusInput {
  /** Epoch ms. */
  readonly startedAt: number;
  /** Equity less net deposits at the start of the process; micro-USD. */
  readonly pnlAtStart: number;
  readonly isKillVerified: boolean | undefined;
  readonly recovery: BotStatus['recovery'] | undefined;
  readonly signals: BotStatus['signals'];
}

export function liveStatus(deps: LiveBotDeps, input: StatusInput): BotStatus {
  const { state, gate, counters, killSwitch, health, clock, pid, version, account, venue, earlierRuns } = deps;
  const { link, mode, modeProblem, reconciled, skewMs, ages } = health();
  const ageByMarket = new Map(ages.map(({ market, ageMs }) => [market, ageMs]));
  const isKilled = gate.mode === 'KILLED';
  const pnl = state.exitEquity - state.contributed;
  return {
    pid,
    version,
    startedAt: input.startedAt,
    now: clock.now(),
    account,
    venue,
    mode: gate.mode,
    killReason: isKilled ? (killSwitch.tripped?.text ?? gate.reason ?? 'no reason was given') : null,
    killVerified: isKilled ? (input.isKillVerified ?? null) : null,
    modeReason: isKilled || gate.mode === 'ACTIVE' ? null : modeReason(state, gate),
    venueMode: mode,
    venueModeReason: venueModeReason(mode, modeProblem),
    nextStep: nextStep(gate.mode, mode, deps.commandLine('resume')),
    link,
    reconciled,
    recovery: input.recovery ?? null,
    clockSkewMs: skewMs,
    cash: state.cash,
    available: state.available,
    equity: state.exitEquity,
    since: earlierRuns.since ?? input.startedAt,
    pnl,
    openOrders: state.openOrderCount,
    fills: earlierRuns.fillCount + counters.fillCount,
    run: { pnl: pnl - input.pnlAtStart, fills: counters.fillCount },
    strategies: deps.strategies(),
    refused: counters.refused,
    rejected: counters.rejected,
    signals: input.signals,
    logProblem: deps.logProblem() ?? null,
    markets: state.markets.map((market) => marketLine(market, deps, ageByMarket.get(market.info.market))),
  };
}

/** Returns why the bot does not quote and, while it flattens, where it sells nothing. */
function modeReason({ markets }: Pick<AccountState, 'markets'>, gate: LiveBotDeps['gate']): string {
  return [gate.reason ?? 'no reason was given', ...flattenObstacles(markets, gate)].join('; ');
}
