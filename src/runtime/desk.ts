/**
 * Where wishes become commands within one step: risk, then execution, then the mark in the state.
 *
 * The latest quote set of each bot and market is kept, as it says what is wished until the next one comes. `again` puts
 * it through risk and execution once more: after any answer while execution has to wait with a part of it; and once after
 * a refused cancel, as a replace was stopped then and what it was to move still stands. Only once, because a replace that
 * is stopped for a reason that lasts would otherwise knock at the venue as often as the answers come.
 *
 * What strategies wish is not carried out in a market that was left, nor anywhere while they are silenced: nobody is
 * told, as they go on wishing by their timers and would be refused as often. What the core itself wishes passes.
 *
 * Where the venue's rate limit is kept, a set that it has no room for now waits as a whole; until then only what asks for a
 * worse trade than is wished at all is cancelled. Without a limit nothing of that costs anything.
 */
import {
  type Approved,
  type BotNo,
  counted,
  type EpochMs,
  type Intent,
  type MarketNo,
  type OrderCommand,
  type OrderNo,
  type QuoteIntent,
  type RatesTold,
  type Refused,
} from '../domain/index.ts';
import { exposedOrders, type Planner, type RateBudget, rateCost, wrongness } from '../execution/index.ts';
import type { RiskGate } from '../risk/index.ts';
import type { AccountState } from '../state/index.ts';
import { BlockedWishes } from './blocked-wishes.ts';
import { Pacing } from './pacing.ts';

export interface DeskOptions {
  readonly state: AccountState;
  readonly risk: RiskGate;
  readonly planner: Planner;
  /** Default: no limit. */
  readonly budget?: RateBudget | undefined;
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
  readonly #pacing: Pacing | undefined;
  readonly #standing = new Map<number, Standing>();
  readonly #blocked = new BlockedWishes();
  /** Markets that nobody trades any more. */
  readonly #left = new Set<MarketNo>();
  #isSilent = false;
  /** Orders that nobody wishes and that were told twice to go. */
  readonly #insisted = new Set<OrderNo>();
  #refused: Refused[] | undefined;
  #commands: OrderCommand[] | undefined;
  #turn = 0;

  constructor({ state, risk, planner, budget }: DeskOptions) {
    this.#state = state;
    this.#risk = risk;
    this.#planner = planner;
    this.#pacing = budget === undefined ? undefined : new Pacing(budget);
  }

  /** Whether anything was decided since `close`. */
  get open(): boolean {
    return this.#refused !== undefined || this.#commands !== undefined;
  }

  /** When what waits for the rate limit is to be looked at; undefined while nothing does. */
  get wakeAt(): EpochMs | undefined {
    return this.#pacing?.wakeAt;
  }

  /** Carries out what a strategy wishes, in its order, where it is heard. */
  hear(wishes: readonly Intent[], bot: BotNo): void {
    if (this.#isSilent) return;
    for (const intent of wishes) {
      if (this.#left.size === 0 || !this.#left.has(intent.market)) this.#carry(intent, bot, false);
    }
  }

  /** Whether no strategy is heard at all. */
  silence(isSilent: boolean): void {
    this.#isSilent = isSilent;
  }

  /** Takes back what everybody wishes and shows in a market, and hears nobody there. */
  leave(market: MarketNo): void {
    this.#left.add(market);
    this.withdraw((_, each) => each === market);
  }

  /** Cancels an order that nobody wishes and that did not go when it was told to; once, as the next refusal would be alike. */
  insist(order: OrderNo, market: MarketNo): void {
    if (this.#insisted.has(order)) return;
    const open = this.#state.markets[market]?.orders.find((each) => each.order === order);
    if (open === undefined || open.phase === 'leaving') return;
    this.#insisted.add(order);
    this.issue({ type: 'cancel', order, market });
  }

  /** A market is traded, again or anew. */
  enter(market: MarketNo): void {
    this.#left.delete(market);
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

  /** What waits for the rate limit is planned again, as far as there is room; the most wrong first. */
  wake(): void {
    const pacing = this.#pacing;
    if (pacing === undefined) return;
    for (const place of pacing.drain((each) => this.#wrongness(each))) {
      const standing = this.#standing.get(place);
      if (standing === undefined) continue;
      if (pacing.queued) pacing.join(place);
      else this.#carry(standing.intent, botOf(place), standing.retried);
    }
  }

  ratesTold(event: RatesTold): void {
    this.#pacing?.budget.tell(event);
  }

  /** Merges what lies idle in pairs, in the name of `bot`; not before an earlier conversion here was answered. */
  sweep(bot: BotNo, market: MarketNo): void {
    const { mode } = this.#risk;
    if (mode === 'KILLED' || mode === 'PAUSED' || this.#state.converting(market)) return;
    for (const command of this.#planner.sweep(bot, market, this.#state)) this.issue(command);
  }

  refuse(refused: Refused): void {
    // A list of one is born with one place; an empty one gets seventeen with its first push.
    if (this.#refused === undefined) this.#refused = [refused];
    else this.#refused.push(refused);
  }

  /** Marks the command in the state and puts it into the step. What goes out in any case takes its tokens here. */
  issue(command: OrderCommand): void {
    if (this.#pacing !== undefined) {
      this.#pacing.budget.spend(rateCost([command], this.#state.openOrders), this.#state.now);
    }
    this.#send(command);
  }

  /** No quote set is in force any more. */
  forget(): void {
    this.#standing.clear();
    this.#blocked.clear();
    this.#pacing?.clear();
  }

  /** Takes back what one bot, or everybody, wishes and shows in some markets; all is cancelled order by order. */
  withdraw(isMeant: (bot: BotNo, market: MarketNo) => boolean): void {
    for (const place of this.#standing.keys()) {
      if (!isMeant(botOf(place), marketOf(place))) continue;
      this.#standing.delete(place);
      this.#pacing?.leave(place);
    }
    for (const { orders } of this.#state.markets) {
      for (const { order, bot, market, phase } of orders) {
        if (phase !== 'leaving' && isMeant(bot, market)) this.issue({ type: 'cancel', order, market });
      }
    }
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
    if (this.#pacing?.queued === true && intent.type === 'quote' && intent.quotes.length > 0) {
      this.#queue(intent, bot, retried);
      return;
    }
    const { approved, refused } = this.#risk.check(intent, bot, this.#state);
    this.#tellRefused(refused, intent, bot);
    const deferred = approved !== undefined && this.#execute(approved, bot);
    if (intent.type !== 'quote') return;
    const place = key(bot, intent.market);
    if (approved === undefined) this.#standing.delete(place);
    else this.#standing.set(place, { intent, turn: this.#turn, deferred, retried });
  }

  #tellRefused(refused: readonly Refused[], intent: Intent, bot: BotNo): void {
    const told = intent.type === 'quote' ? this.#blocked.news(key(bot, intent.market), intent, refused) : refused;
    for (const line of told) this.refuse(line);
  }

  /** Answers whether a part has to wait. */
  #execute(approved: Approved, bot: BotNo): boolean {
    const { commands, dropped, deferred } = this.#planner.plan(approved, bot, this.#state);
    if (this.#pacing !== undefined && !this.#fits(approved, bot, commands, this.#pacing)) return true;
    for (const command of commands) this.#send(command);
    for (const line of dropped) this.refuse(line);
    return deferred;
  }

  /** Whether there is room for the commands now; their tokens are taken then. */
  #fits(approved: Approved, bot: BotNo, commands: readonly OrderCommand[], pacing: Pacing): boolean {
    const cost = rateCost(commands, 0);
    const place = key(bot, approved.market);
    if (pacing.budget.take(cost, this.#state.now)) {
      if (approved.type === 'quote') pacing.leave(place);
      return true;
    }
    if (approved.type === 'quote') {
      pacing.wait(place, cost, this.#state.now);
      this.#pull(approved, bot, pacing);
    } else this.refuse({ ok: false, market: approved.market, code: 'RATE_LIMITED', limit: 1, was: 0 });
    return false;
  }

  /** Waits behind others: nothing is planned, as a newer wish may come before its turn. */
  #queue(intent: QuoteIntent, bot: BotNo, retried: boolean): void {
    const place = key(bot, intent.market);
    if (this.#pacing === undefined) return;
    this.#pacing.join(place);
    this.#standing.set(place, { intent, turn: this.#turn, deferred: true, retried });
    this.#pull(intent, bot, this.#pacing);
  }

  /** Cancels what asks for a worse trade than is wished at all, as far as cancels have room beside their reserve. */
  #pull(intent: QuoteIntent, bot: BotNo, { budget }: Pacing): void {
    const market = this.#state.markets[intent.market];
    if (market === undefined) return;
    for (const order of exposedOrders(intent, bot, market)) {
      if (!budget.take({ order: 0, cancel: 1 }, this.#state.now, true)) return;
      this.#send({ type: 'cancel', order, market: intent.market });
    }
  }

  #send(command: OrderCommand): void {
    this.#state.sent(command, this.#state.now);
    if (this.#commands === undefined) this.#commands = [command];
    else this.#commands.push(command);
  }

  #wrongness(place: number): number {
    const standing = this.#standing.get(place);
    const market = this.#state.markets[marketOf(place)];
    return standing === undefined || market === undefined ? 0 : wrongness(standing.intent, botOf(place), market);
  }
}

/** Rows count markets in 16 bits. */
function key(bot: BotNo, market: MarketNo): number {
  return bot * 65_536 + market;
}

function botOf(place: number): BotNo {
  return counted.bot(Math.floor(place / 65_536));
}

function marketOf(place: number): MarketNo {
  return counted.market(place % 65_536);
}
