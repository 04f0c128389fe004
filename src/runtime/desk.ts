/**
 * Where wishes become commands within one step: risk, then execution, then the mark in the state.
 *
 * The latest quote set of each bot and market is kept, as it says what is wished until the next one comes. `again` puts
 * it through risk and execution once more: after any answer while execution has to wait with a part of it; and once after
 * a refused cancel, as a replace was stopped then and what it was to move still stands. Only once, because a replace that
 * is stopped for a reason that lasts would otherwise knock at the venue as often as the answers come.
 */
import type { Approved, BotNo, Intent, MarketNo, OrderCommand, QuoteIntent, Refused } from '../domain/index.ts';
import type { Planner } from '../execution/index.ts';
import type { RiskGate } from '../risk/index.ts';
import type { AccountState } from '../state/index.ts';

export interface DeskOptions {
  readonly state: AccountState;
  readonly risk: RiskGate;
  readonly planner: Planner;
}

/** What one step decided. */
export interface Decisions {
  readonly refused: readonly Refused[];
  readonly commands: readonly OrderCommand[];
}

/** A quote set in force. */
interface Standing {
  readonly intent: QuoteIntent;
  /** The turn in which it was last planned. */
  readonly turn: number;
  /** Whether a part of it waits for answers. */
  readonly deferred: boolean;
  /** Whether it was planned again after a refused cancel. */
  readonly retried: boolean;
}

/** Not frozen: V8 walks frozen arrays by its slow iterator, five times a step. The type keeps it empty. */
const NOTHING: readonly never[] = [];

export class Desk {
  readonly #state: AccountState;
  readonly #risk: RiskGate;
  readonly #planner: Planner;
  readonly #standing = new Map<number, Standing>();
  #refused: Refused[] | undefined;
  #commands: OrderCommand[] | undefined;
  #turn = 0;

  constructor({ state, risk, planner }: DeskOptions) {
    this.#state = state;
    this.#risk = risk;
    this.#planner = planner;
  }

  /** Whether anything was decided since `close`. */
  get open(): boolean {
    return this.#refused !== undefined || this.#commands !== undefined;
  }

  /** Carries wishes out in their order. */
  carryOut(wishes: readonly Intent[], bot: BotNo): void {
    for (const intent of wishes) this.#carry(intent, bot, false);
  }

  /**
   * After an answer about an order of this bot in this market; does nothing where a newer wish was planned in this turn.
   * @param cancelRefused whether the answer was that a cancel, reduce or replace could not be done
   */
  again(bot: BotNo, market: MarketNo, cancelRefused: boolean): void {
    const standing = this.#standing.get(key(bot, market));
    if (standing === undefined || standing.turn === this.#turn) return;
    const retry = cancelRefused && !standing.retried;
    if (standing.deferred || retry) this.#carry(standing.intent, bot, standing.retried || retry);
  }

  /** Merges what lies idle in pairs, in the name of `bot`; not before an earlier conversion here was answered. */
  sweep(bot: BotNo, market: MarketNo): void {
    if (this.#risk.mode === 'KILLED' || this.#state.converting(market)) return;
    for (const command of this.#planner.sweep(bot, market, this.#state)) this.issue(command);
  }

  refuse(refused: Refused): void {
    // A list of one is born with one place; an empty one gets seventeen with its first push.
    if (this.#refused === undefined) this.#refused = [refused];
    else this.#refused.push(refused);
  }

  /** Marks the command in the state and puts it into the step. */
  issue(command: OrderCommand): void {
    this.#state.sent(command, this.#state.now);
    if (this.#commands === undefined) this.#commands = [command];
    else this.#commands.push(command);
  }

  /** No quote set is in force any more. */
  forget(): void {
    this.#standing.clear();
  }

  /** What was decided since the last time; a new turn begins. */
  close(): Decisions {
    const decisions = { refused: this.#refused ?? NOTHING, commands: this.#commands ?? NOTHING };
    this.#refused = undefined;
    this.#commands = undefined;
    this.#turn += 1;
    return decisions;
  }

  #carry(intent: Intent, bot: BotNo, retried: boolean): void {
    // A claim pays all there is: a second one in flight could only be refused.
    if (intent.type === 'claim' && this.#state.claiming(intent.market)) return;
    const { approved, refused } = this.#risk.check(intent, bot, this.#state);
    for (const line of refused) this.refuse(line);
    const deferred = approved !== undefined && this.#execute(approved, bot);
    if (intent.type !== 'quote') return;
    const place = key(bot, intent.market);
    if (approved === undefined) this.#standing.delete(place);
    else this.#standing.set(place, { intent, turn: this.#turn, deferred, retried });
  }

  /** Answers whether a part has to wait. */
  #execute(approved: Approved, bot: BotNo): boolean {
    const { commands, dropped, deferred } = this.#planner.plan(approved, bot, this.#state);
    for (const command of commands) this.issue(command);
    for (const line of dropped) this.refuse(line);
    return deferred;
  }
}

/** Rows count markets in 16 bits. */
function key(bot: BotNo, market: MarketNo): number {
  return bot * 65_536 + market;
}
