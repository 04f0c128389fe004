/** Input events of the core from sources other than the venue. */
import { InputFault } from './errors.ts';
import type { VenueEvent } from './event.ts';
import type { InstanceNo, MarketNo, OrderNo } from './ids.ts';
import type { MarketInfo, MarketLimits, MarketState } from './market.ts';
import type { EpochMs } from './units.ts';

interface Timed {
  readonly time: EpochMs;
}

interface Started extends Timed {
  readonly type: 'started';
}

/** The run stops. Strategies get `onStop`, then all orders are cancelled. */
interface Stopped extends Timed {
  readonly type: 'stopped';
}

export interface TimerFired extends Timed {
  readonly type: 'timerFired';
  readonly bot: InstanceNo;
  readonly timer: string;
}

/** An external value for strategies, which is stored for replays. */
export interface SignalReceived extends Timed {
  readonly type: 'signalReceived';
  readonly name: string;
  readonly value: number;
}

const SIGNAL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;

/** @throws InputFault if the name is invalid */
export function checkSignalName(field: string, name: unknown): string {
  if (typeof name === 'string' && SIGNAL_NAME.test(name)) return name;
  throw new InputFault(field, name, 'a name of letters, digits and . _ : - with at most 100 characters');
}

/** Journals store the index of a command, so append new commands at the end. */
export const OPERATOR_COMMANDS = ['kill', 'reduce', 'resume', 'pause', 'flatten', 'cancelAll'] as const;

/**
 * `kill` cancels all orders of the account and refuses new ones; `reduce` refuses orders that add exposure; `pause`
 * withdraws all quotes and refuses new ones; `flatten` closes positions, then pauses; `resume` ends these modes;
 * `cancelAll` withdraws all quotes once and keeps the mode.
 */
export type OperatorCommand = (typeof OPERATOR_COMMANDS)[number];

/** A command from an operator or from the kill switch. */
export interface OperatorCommanded extends Timed {
  readonly type: 'operatorCommanded';
  readonly command: OperatorCommand;
  /** `SIGNAL`, `CLOCK_SKEW`, or an operator's note, for records. */
  readonly reason?: string;
}

/** An operator cancels an order, which may already be closed. The order's strategy may place another order. */
interface CancelCommanded extends Timed {
  readonly type: 'cancelCommanded';
  readonly market: MarketNo;
  readonly order: OrderNo;
}

/** A strategy is recreated with a changed parameter, which the strategy's schema accepts. */
export interface ParameterSet extends Timed {
  readonly type: 'parameterSet';
  readonly bot: InstanceNo;
  readonly name: string;
  /** JSON. */
  readonly value: string;
}

export interface AddedInstance {
  readonly bot: InstanceNo;
  readonly strategy: string;
  /** All parameters as a JSON object, which the strategy's schema accepts. */
  readonly params: string;
}

/** A market with its strategies is added. A new market gets the next number; a removed market keeps its number. */
export interface MarketAdded extends Timed {
  readonly type: 'marketAdded';
  readonly info: MarketInfo;
  readonly limits: MarketLimits;
  readonly state: MarketState;
  readonly bots: readonly AddedInstance[];
}

/** A market is removed from the run. Its orders are cancelled; its holdings stay. */
export interface MarketRemoved extends Timed {
  readonly type: 'marketRemoved';
  readonly market: MarketNo;
  /** Set if an operator removed the market, so that the next start does not trade it again. */
  readonly byOperator?: true;
}

export interface FeeConfirmed extends Timed {
  readonly type: 'feeConfirmed';
  readonly market: MarketNo;
  /** The highest taker fee rate that an operator accepts, bps. */
  readonly feeRateBps: number;
}

/** A time that execution requested has arrived. Intents that waited for this time are planned again. */
interface Woke extends Timed {
  readonly type: 'woke';
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
