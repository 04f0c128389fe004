/**
 * What enters the core beside market data and the venue's words: the run's life, timers, operators. Past facts,
 * immutable.
 */
import { InputFault } from './errors.ts';
import type { VenueEvent } from './event.ts';
import type { BotNo, MarketNo, OrderNo } from './ids.ts';
import type { MarketInfo, MarketLimits, MarketState } from './market.ts';
import type { EpochMs } from './units.ts';

export interface Started {
  readonly type: 'started';
  readonly time: EpochMs;
}

/** The run ends in good order: handlers' `onStop`, then everything is cancelled. */
export interface Stopped {
  readonly type: 'stopped';
  readonly time: EpochMs;
}

export interface TimerFired {
  readonly type: 'timerFired';
  readonly time: EpochMs;
  readonly bot: BotNo;
  readonly timer: string;
}

/** Outside knowledge handed to strategies, kept so that a replay knows it too. */
export interface SignalReceived {
  readonly type: 'signalReceived';
  readonly time: EpochMs;
  readonly name: string;
  readonly value: number;
}

const SIGNAL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;

/** @throws InputFault for a name that is too long or has other characters */
export function checkSignalName(field: string, name: unknown): string {
  if (typeof name === 'string' && SIGNAL_NAME.test(name)) return name;
  throw new InputFault(field, name, 'a name of letters, digits and . _ : - with at most 100 characters');
}

/** New words come at the end: a stored one is its place in this list. */
export const OPERATOR_COMMANDS = ['kill', 'reduce', 'resume', 'pause', 'flatten', 'cancelAll'] as const;

/**
 * What an operator can say. `kill` cancels all orders of the account and refuses all that follows; `reduce` lets
 * exposure only shrink; `pause` withdraws all quotes and refuses new ones; `flatten` takes positions out, then pauses;
 * `resume` ends each of these; `cancelAll` withdraws once and changes no mode.
 */
export type OperatorCommand = (typeof OPERATOR_COMMANDS)[number];

/** A command from an operator or from the kill switch. */
export interface OperatorCommanded {
  readonly type: 'operatorCommanded';
  readonly time: EpochMs;
  readonly command: OperatorCommand;
  /** Why, for the records: `SIGNAL`, `CLOCK_SKEW`, an operator's note. */
  readonly reason?: string;
}

/** An operator cancels one order. Nothing happens when it is no longer open, and its strategy may place another. */
export interface CancelCommanded {
  readonly type: 'cancelCommanded';
  readonly time: EpochMs;
  readonly market: MarketNo;
  readonly order: OrderNo;
}

/** A strategy is recreated with one changed parameter. The strategy's schema has checked the value. */
export interface ParameterSet {
  readonly type: 'parameterSet';
  readonly time: EpochMs;
  readonly bot: BotNo;
  readonly name: string;
  /** JSON. */
  readonly value: string;
}

/** A strategy that is put on a market; its number is the next one of the account. */
export interface AddedBot {
  readonly bot: BotNo;
  readonly strategy: string;
  /** All of its parameters as an object in JSON, checked by the strategy's schema before. */
  readonly params: string;
}

/** A market joins the run, under the next market number, and with it the strategies on it. */
export interface MarketAdded {
  readonly type: 'marketAdded';
  readonly time: EpochMs;
  readonly info: MarketInfo;
  readonly limits: MarketLimits;
  readonly state: MarketState;
  readonly bots: readonly AddedBot[];
}

/** A market leaves the run: its orders are cancelled, its holdings stay. */
export interface MarketRemoved {
  readonly type: 'marketRemoved';
  readonly time: EpochMs;
  readonly market: MarketNo;
  /** An operator's word: it stays out over restarts until one adds it. Left out, the next start trades it again. */
  readonly byOperator?: true;
}

/** An operator accepts the fee of a market: orders there may be signed for it from now on. */
export interface FeeConfirmed {
  readonly type: 'feeConfirmed';
  readonly time: EpochMs;
  readonly market: MarketNo;
  /** The highest taker fee rate that is accepted, bps. */
  readonly feeRateBps: number;
}

/** A time that execution had requested has come: intents that waited for it are planned again. */
interface Woke {
  readonly type: 'woke';
  readonly time: EpochMs;
}

export type InputEvent =
  | VenueEvent
  | Started
  | Stopped
  | TimerFired
  | SignalReceived
  | OperatorCommanded
  | CancelCommanded
  | ParameterSet
  | MarketAdded
  | MarketRemoved
  | FeeConfirmed
  | Woke;
