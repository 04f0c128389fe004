/** A strategy put to work: parameters parsed, handlers made, timers known. */
import type { Random } from '../clock/index.ts';
import { type BotNo, Fault, InputFault, type MarketNo } from '../domain/index.ts';
import { parseStrict, type Strategy, type StrategyHandlers, type TimerSpec } from '../strategy/index.ts';

/** One strategy instance of the account. Everything it sends carries `bot`. */
export interface Bot {
  readonly bot: BotNo;
  /** The strategy's name, for errors and reports. */
  readonly name: string;
  /** Parameters as the schema gave them back, defaults filled in. */
  readonly params: unknown;
  /** The only markets it may wish anything in. */
  readonly markets: readonly MarketNo[];
  readonly handlers: StrategyHandlers;
  readonly timers: readonly TimerSpec[];
}

export interface BotSpec {
  readonly bot: BotNo;
  readonly strategy: Strategy;
  /** As the user wrote them: checked by the strategy's schema. */
  readonly params: unknown;
  /** A stream of its own, fixed by the run's seed. */
  readonly random: Random;
  readonly markets: readonly MarketNo[];
}

/**
 * Parses the parameters and makes the handlers.
 * @throws InputFault that names the parameter, or the timer, that is not what it has to be
 * @throws Fault STRATEGY when the strategy's own `timers` or `create` throws, with that error as cause
 */
export function createBot({ bot, strategy, params, random, markets }: BotSpec): Bot {
  const { name } = strategy;
  const parsed = parseStrict(strategy.params, params, 'params');
  const timers = guarded(name, 'timers', () => strategy.timers?.(parsed) ?? []);
  for (const timer of timers) checkTimer(name, timer);
  const handlers = guarded(name, 'create', () => strategy.create(parsed, { bot, random, markets }));
  return { bot, name, params: parsed, markets, handlers, timers };
}

function checkTimer(strategy: string, { name, everyMs }: TimerSpec): void {
  if (!Number.isSafeInteger(everyMs) || everyMs < 1) {
    throw new InputFault(`timer "${name}" of strategy "${strategy}"`, everyMs, 'whole milliseconds, at least 1');
  }
}

function guarded<T>(strategy: string, what: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    // A fault of the strategy's own already says what to do (a parameter that only it can judge).
    if (cause instanceof Fault) throw cause;
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Fault('STRATEGY', `strategy "${strategy}" threw in ${what}: ${problem}`, { cause });
  }
}
