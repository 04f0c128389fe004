/**
 * Where wishes become commands within one step: risk, then execution, then the mark in the state.
 *
 * A quote that execution could carry out only in part waits here, the latest of each bot and market; `again` puts it
 * through risk and execution once more. A wish for the same market that does not have to wait takes its place.
 */
import type { BotNo, Intent, MarketNo, OrderCommand, QuoteIntent, Refused } from '../domain/index.ts';
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

interface Waiting {
  readonly intent: QuoteIntent;
  /** The turn in which it was last planned. */
  readonly turn: number;
}

const NOTHING: readonly never[] = Object.freeze([]);

export class Desk {
  readonly #state: AccountState;
  readonly #risk: RiskGate;
  readonly #planner: Planner;
  readonly #waiting = new Map<number, Waiting>();
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
    for (const intent of wishes) this.#carry(intent, bot);
  }

  /** Carries out what waited for an answer about this bot's orders in this market, unless a newer wish replaced it. */
  again(bot: BotNo, market: MarketNo): void {
    const waiting = this.#waiting.get(key(bot, market));
    if (waiting !== undefined && waiting.turn < this.#turn) this.#carry(waiting.intent, bot);
  }

  /** Merges what lies idle in pairs, in the name of `bot`; not before an earlier conversion here was answered. */
  sweep(bot: BotNo, market: MarketNo): void {
    if (this.#risk.mode === 'KILLED' || this.#state.converting(market)) return;
    for (const command of this.#planner.sweep(bot, market, this.#state)) this.issue(command);
  }

  refuse(refused: Refused): void {
    this.#refused ??= [];
    this.#refused.push(refused);
  }

  /** Marks the command in the state and puts it into the step. */
  issue(command: OrderCommand): void {
    this.#state.sent(command, this.#state.now);
    this.#commands ??= [];
    this.#commands.push(command);
  }

  /** Nothing waits any more. */
  forget(): void {
    this.#waiting.clear();
  }

  /** What was decided since the last time; a new turn begins. */
  close(): Decisions {
    const decisions = { refused: this.#refused ?? NOTHING, commands: this.#commands ?? NOTHING };
    this.#refused = undefined;
    this.#commands = undefined;
    this.#turn += 1;
    return decisions;
  }

  #carry(intent: Intent, bot: BotNo): void {
    // A claim pays all there is: a second one in flight could only be refused.
    if (intent.type === 'claim' && this.#state.claiming(intent.market)) return;
    const { approved, refused } = this.#risk.check(intent, bot, this.#state);
    for (const line of refused) this.refuse(line);
    let deferred = false;
    if (approved !== undefined) {
      const plan = this.#planner.plan(approved, bot, this.#state);
      for (const command of plan.commands) this.issue(command);
      for (const line of plan.dropped) this.refuse(line);
      deferred = plan.deferred;
    }
    if (intent.type !== 'quote') return;
    if (deferred) this.#waiting.set(key(bot, intent.market), { intent, turn: this.#turn });
    else this.#waiting.delete(key(bot, intent.market));
  }
}

/** Rows count markets in 16 bits. */
function key(bot: BotNo, market: MarketNo): number {
  return bot * 65_536 + market;
}
