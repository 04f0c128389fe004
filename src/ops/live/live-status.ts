import type { BotStatus } from '../control/bot-port.ts';
import { marketLine } from './bot-view.ts';
import type { LiveBotParts } from './live-bot-parts.ts';
import { nextStep, venueModeReason } from './mode-text.ts';

export interface StatusInput {
  /** Epoch ms. */
  readonly startedAt: number;
  /** Equity less net deposits at the start of the process; micro-USD. */
  readonly pnlAtStart: number;
  readonly isKillVerified: boolean | undefined;
  readonly recovery: BotStatus['recovery'] | undefined;
  readonly signals: BotStatus['signals'];
}

/** The status for `halfspread status`. */
export function liveStatus(parts: LiveBotParts, input: StatusInput): BotStatus {
  const { state, gate, tally, killSwitch, health, clock, pid, version, account, venue, before } = parts;
  const { link, mode, modeProblem, reconciled, skewMs, ages } = health();
  const age = new Map(ages.map(({ market, ageMs }) => [market, ageMs]));
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
    modeReason: isKilled || gate.mode === 'ACTIVE' ? null : (gate.reason ?? 'no reason was given'),
    venueMode: mode,
    venueModeReason: venueModeReason(mode, modeProblem),
    nextStep: nextStep(gate.mode, mode, parts.commandLine('resume')),
    link,
    reconciled,
    recovery: input.recovery ?? null,
    clockSkewMs: skewMs,
    cash: state.cash,
    available: state.available,
    equity: state.exitEquity,
    since: before.since ?? input.startedAt,
    pnl,
    openOrders: state.openOrders,
    fills: before.fillCount + tally.fillCount,
    run: { pnl: pnl - input.pnlAtStart, fills: tally.fillCount },
    strategies: parts.strategies(),
    refused: tally.refused,
    rejected: tally.rejected,
    signals: input.signals,
    logProblem: parts.logProblem() ?? null,
    markets: state.markets.map((market) => marketLine(market, parts, age.get(market.info.market))),
  };
}
