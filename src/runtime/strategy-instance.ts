/** Creates a strategy instance: parses parameters, calls `create`, checks handlers and timers. */
import type { Random } from '../clock/index.ts';
import {
  checkSignalName,
  Fault,
  InputFault,
  type InstanceNo,
  type MarketInfo,
  type MarketNo,
  thrownText,
} from '../domain/index.ts';
import {
  nearest,
  parseStrict,
  type Strategy,
  type StrategyHandlers,
  type StrategyLog,
  type StrategyState,
  type TimerSpec,
} from '../strategy/index.ts';
import { SavedState } from './saved-state.ts';
import { SILENT_LOG } from './strategy-log.ts';
import type { StateOwner } from './strategy-states.ts';
import { MAX_TIMERS, RunningTimers } from './strategy-timers.ts';

/** A strategy with its parameters and markets, as it runs in an account. */
export interface StrategyInstance {
  /** Number of the instance in the account. Each order of the instance contains this number. */
  readonly bot: InstanceNo;
  /** The strategy's name in the run, for errors and reports. */
  readonly name: string;
  /** Parsed parameters, with defaults. */
  readonly params: unknown;
  /** The only markets for which the instance may return intents. */
  readonly markets: readonly MarketNo[];
  readonly handlers: StrategyHandlers;
  readonly timers: readonly TimerSpec[];
  /** Names of the signals that the instance reads; undefined for all signals. */
  readonly signals?: readonly string[] | undefined;
  /** The state that survives a restart; undefined for a strategy without a `state` schema. */
  readonly saved?: SavedState | undefined;
  /** The running timers. */
  readonly runningTimers?: RunningTimers | undefined;
}

export interface InstanceSpec {
  readonly bot: InstanceNo;
  /** Default: the strategy's name. */
  readonly name?: string;
  readonly strategy: Strategy;
  /** Parameters of the user, before the strategy's schema parses them. */
  readonly params: unknown;
  /** Random numbers of this instance, determined by the run's seed. */
  readonly random: Random;
  readonly markets: readonly MarketInfo[];
  /** Receives the instance's log lines. Default: a log that drops all lines. */
  readonly log?: StrategyLog;
  /** Returns the stored state as JSON; undefined for the schema's defaults. Default: no stored state. */
  readonly readState?: (owner: StateOwner) => string | undefined;
}

/**
 * Parses the parameters and creates the handlers.
 * @throws InputFault that names the invalid parameter or timer
 * @throws Fault STRATEGY when `timers`, `signals` or `create` throws or returns an invalid value, with a cause
 * @throws Fault STATE when the schema refuses the stored state
 */
export function instantiateStrategy(spec: InstanceSpec): StrategyInstance {
  const { bot, strategy, name = strategy.name, params, random, markets, log = SILENT_LOG, readState } = spec;
  const parsed = parseParams(strategy, params);
  const timers = runGuarded(name, 'timers', () => checkTimers(name, strategy.timers?.(parsed) ?? []));
  const signals = runGuarded(name, 'signals', () => checkSignals(name, strategy.signals?.(parsed)));
  const { state: schema } = strategy;
  const [market] = strategy.scope === 'run' ? [] : markets;
  const owner: StateOwner = market === undefined ? { strategy: name } : { strategy: name, market: market.market };
  const saved = schema && runGuarded(name, 'state', () => new SavedState(owner, schema, readState?.(owner)));
  const runningTimers = new RunningTimers(name, timers);
  const context = { bot, random, markets, log, state: saved ?? createRefusingState(name), timers: runningTimers };
  const handlers = runGuarded(name, 'create', () => checkHandlers(strategy.create(parsed, context)));
  const numbers = markets.map(({ market }) => market);
  return { bot, name, params: parsed, markets: numbers, handlers, timers, signals, saved, runningTimers };
}

/** Returns the names of the signals that strategies read; undefined if a strategy reads all signals. */
export function signalNames(
  instances: readonly Pick<StrategyInstance, 'handlers' | 'signals'>[],
): readonly string[] | undefined {
  const readers = instances.filter(({ handlers }) => handlers.onSignal !== undefined);
  if (readers.some(({ signals }) => signals === undefined)) return undefined;
  return [...new Set(readers.flatMap(({ signals = [] }) => signals))];
}

/**
 * Parses parameters with the strategy's schema, which adds defaults.
 * @throws InputFault that names the parameter; Fault STRATEGY when the schema itself throws, with that error as cause
 */
export function parseParams(strategy: Strategy, params: unknown): unknown {
  return runGuarded(strategy.name, 'params', () => parseStrict(strategy.params, params, 'params'));
}

/** All handler names. Strategies run without a type check, so a misspelt name would otherwise be ignored. */
const HANDLERS: Readonly<Record<keyof StrategyHandlers, true>> = {
  onStart: true,
  onBook: true,
  onTrade: true,
  onFill: true,
  onFillReversed: true,
  onOrderAccepted: true,
  onOrderRejected: true,
  onOrderReduced: true,
  onOrderClosed: true,
  onCancelRejected: true,
  onConverted: true,
  onConversionRejected: true,
  onMarket: true,
  onConfig: true,
  onPrices: true,
  onTimer: true,
  onSignal: true,
  onStop: true,
};

const ON_ORDER_PROBLEM =
  'there is no handler "onOrder": each event has its own. Use onOrderAccepted, onOrderRejected, onOrderReduced, ' +
  'onOrderClosed, onCancelRejected, onConverted or onConversionRejected';

/** Returns `context.state` of a strategy without a schema. */
function createRefusingState(strategy: string): StrategyState<unknown> {
  const refuse = (): never => {
    throw new TypeError(`strategy "${strategy}" has no \`state\` schema: add one beside \`params\``);
  };
  return { get: refuse, set: refuse };
}

/** @throws TypeError unless the value is an object of known handlers */
export function checkHandlers(handlers: StrategyHandlers): StrategyHandlers {
  const known = Object.keys(HANDLERS);
  if (typeof handlers !== 'object' || handlers === null || handlers instanceof Promise) {
    throw new TypeError(`it returned ${describeReturned(handlers)}; expected an object of handlers`);
  }
  for (const [key, handler] of Object.entries(handlers)) {
    if (known.includes(key) && handler !== undefined && typeof handler !== 'function') {
      throw new TypeError(`${key} is not a function`);
    }
    if (key === 'onOrder') throw new TypeError(ON_ORDER_PROBLEM);
    if (!known.includes(key) && /^on[A-Z]/.test(key)) {
      const near = nearest(key, known);
      const hint = near === undefined ? '' : `did you mean "${near}"? `;
      throw new TypeError(`there is no handler "${key}" (${hint}known: ${known.join(', ')})`);
    }
  }
  return handlers;
}

function checkTimers(strategy: string, timers: readonly TimerSpec[]): readonly TimerSpec[] {
  const example = "{ name: 'requote', everyMs: 1_000 }";
  if (!Array.isArray(timers)) {
    throw new TypeError(`it returned ${describeReturned(timers)}; expected a list: [${example}]`);
  }
  for (const [index, timer] of timers.entries()) {
    if (typeof timer !== 'object' || timer === null || typeof timer.name !== 'string') {
      throw new TypeError(`it returned ${describeReturned(timer)} at index ${index}; expected ${example}`);
    }
    const { name, everyMs } = timer;
    if (!Number.isSafeInteger(everyMs) || everyMs < 1) {
      throw new InputFault(`timer "${name}" of strategy "${strategy}"`, everyMs, 'whole milliseconds, at least 1');
    }
  }
  const names = timers.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw new TypeError(`two timers are called "${duplicate}": give each its own name`);
  if (timers.length > MAX_TIMERS) throw new TypeError(`it returned ${timers.length} timers; at most ${MAX_TIMERS}`);
  return timers;
}

function checkSignals(strategy: string, names: readonly string[] | undefined): readonly string[] | undefined {
  if (names === undefined) return undefined;
  if (!Array.isArray(names))
    throw new TypeError(`it returned ${describeReturned(names)}; expected a list: ['rain-tomorrow.p']`);
  for (const [index, name] of names.entries()) checkSignalName(`signals[${index}] of strategy "${strategy}"`, name);
  return names;
}

function describeReturned(value: unknown): string {
  if (value instanceof Promise) return 'a promise (it is synchronous: no async)';
  if (typeof value !== 'object' || value === null)
    return typeof value === 'function' ? 'a function' : thrownText(value);
  return Array.isArray(value) ? 'a list' : `an object with ${Object.keys(value).join(', ') || 'no keys'}`;
}

function runGuarded<T>(strategy: string, stage: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    // The message of a fault already has a remedy.
    if (cause instanceof Fault) throw cause;
    throw new Fault('STRATEGY', `strategy "${strategy}" failed in ${stage}: ${thrownText(cause)}`, { cause });
  }
}
