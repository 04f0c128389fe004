/** A bot without strategies, whose actions become steps that are stored as in a run. */

import { copyFileSync, existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import {
  type Conversion,
  type EpochMs,
  epochMs,
  type InputEvent,
  type OrderCommand,
  type PlaceOrder,
  unchecked,
} from '../../../src/domain/index.ts';
import { createRiskGate, type RiskGate, riskLimits, riskSchema } from '../../../src/risk/index.ts';
import {
  type BotSnapshot,
  recover,
  type SignedRecord,
  type Step,
  StrategyAssignments,
} from '../../../src/runtime/index.ts';
import type { StateChange } from '../../../src/runtime/strategy-states.ts';
import type { AccountState } from '../../../src/state/index.ts';
import { BOT_CHECKSUMS } from '../../../src/store/bot/bot-checksums.ts';
import type { BotSource } from '../../../src/store/bot/bot-rows.ts';
import type { BotStoreOptions } from '../../../src/store/bot/open-files.ts';
import { BotStore } from '../../../src/store/index.ts';
import { computeChecksums } from '../../../src/store/sqlite/row-checksums.ts';
import { type Action, ActionRunner, MARKETS } from '../../state/any-action.ts';
import { account } from '../../state/world.ts';

export const NAME = 'account 0xab at https://venue.example';

export class BotHarness implements BotSource {
  readonly store: BotStore;
  readonly account: AccountState;
  readonly gate: RiskGate;
  readonly roster: StrategyAssignments;
  readonly #actions: ActionRunner;
  #seq: number;
  #nextOrder: number;
  readonly appliedSteps: number;

  private constructor(store: BotStore, first: number, newAccount: () => AccountState) {
    const stored = store.storedRun();
    const before = stored === undefined ? undefined : recover(stored);
    const limits = riskLimits(riskSchema.parse({}));
    this.store = store;
    this.account = before?.state ?? newAccount();
    this.gate = createRiskGate(limits, before?.risk);
    this.roster = before?.assignments ?? new StrategyAssignments();
    this.#seq = before?.nextSeq ?? first;
    this.#nextOrder = before?.nextOrder ?? 1;
    this.appliedSteps = before?.appliedSteps ?? 0;
    this.#actions = new ActionRunner(this.#nextOrder);
    store.setSource(this, 1);
  }

  /** @param newAccount account of a new file. Default: $1000 */
  static open(
    options: Partial<BotStoreOptions> & { readonly file: string },
    first = 1,
    newAccount: () => AccountState = () => account(MARKETS),
  ): BotHarness {
    return new BotHarness(BotStore.open({ name: NAME, spec: '{}', thread: false, ...options }), first, newAccount);
  }

  get seq(): number {
    return this.#seq;
  }

  /** Number of the last order, 0 before the first. */
  get lastOrder(): number {
    return this.#nextOrder - 1;
  }

  risk(): ReturnType<RiskGate['snapshot']> {
    return this.gate.snapshot();
  }

  snapshot(): BotSnapshot {
    return {
      seq: unchecked.seq(this.#seq - 1),
      rows: this.#seq,
      nextOrder: unchecked.order(this.#nextOrder),
      account: this.account.snapshot(),
      risk: this.gate.snapshot(),
      roster: this.roster.entries,
      states: this.roster.states.entries,
    };
  }

  /** Stores a step in which strategies save their states. */
  saveStates(states: readonly StateChange[]): void {
    const time: EpochMs = this.account.now;
    const seq = unchecked.seq(this.#seq);
    this.#seq += 1;
    this.roster.states.apply(states, time);
    this.store.append([{ seq, time, row: this.#seq, event: undefined, refused: [], commands: [], states }]);
  }

  /** Applies an event. */
  applyEvent(event: InputEvent): void {
    this.account.apply(event);
    const seq = unchecked.seq(this.#seq);
    this.#seq += 1;
    this.store.append([{ seq, time: event.time, row: seq, event, refused: [], commands: [] }]);
  }

  /** Applies and stores an action as a run does. @returns its step, undefined for market data */
  apply(action: Action, { untilSigned = false } = {}): Step | undefined {
    const result = this.#actions.apply(action, [this.account]);
    this.gate.checkLosses(this.account);
    if (result === undefined) return undefined;
    const time: EpochMs = this.account.now;
    const event = 'time' in result ? this.#withTrade(result) : undefined;
    const commands: readonly OrderCommand[] = 'time' in result ? [] : [result];
    for (const { order } of commands.flatMap(placedOrders)) this.#nextOrder = Math.max(this.#nextOrder, order + 1);
    const step: Step = { seq: unchecked.seq(this.#seq), time, row: this.#seq, event, refused: [], commands };
    this.#seq += 1;
    if (untilSigned) this.store.appendDeferred([step]);
    else this.store.append([step]);
    return step;
  }

  /** Adds a trade id to every other fill. */
  #withTrade(event: InputEvent): InputEvent {
    const mayHaveTrade = event.type === 'orderFilled' || event.type === 'cashAdjusted';
    return mayHaveTrade && event.trade === undefined && this.#seq % 2 === 0
      ? { ...event, trade: `trade-${this.#seq}` }
      : event;
  }
}

/** Changes a file with SQL. */
export function changeFile(name: string, sql: string): void {
  const connection = new Database(name);
  connection.exec(sql);
  connection.close();
}

/** Changes a file with SQL and updates the checksums of its rows. */
export function rewriteRows(name: string, sql: string): void {
  const connection = new Database(name);
  connection.exec(sql);
  computeChecksums(connection, BOT_CHECKSUMS);
  connection.close();
}

/** Copies the files of a bot, as a killed process leaves them. @returns the name of the copy */
export function copyOf(name: string, copy: string, ends = ['', '-wal', '-intents', '-mark']): string {
  for (const end of ends) if (existsSync(name + end)) copyFileSync(name + end, copy + end);
  return copy;
}

export function placedOrders(command: OrderCommand | Conversion): readonly PlaceOrder[] {
  if (command.type === 'place') return [command];
  return command.type === 'replace' ? command.places : [];
}

export function signedRecord(order: PlaceOrder): SignedRecord {
  return {
    order: order.order,
    market: order.market,
    marketId: `market-${order.market}`,
    hash: `0x${order.order.toString(16).padStart(64, '0')}`,
    timestampMs: epochMs(1_700_000_000_000 + order.order),
    epoch: 3,
    wire: JSON.stringify({ salt: `0x${order.order}` }),
    command: order,
  };
}

/** Requotes as a run does: decides, signs, sends and settles. */
export function requote(bot: BotHarness): void {
  const step = bot.apply({ kind: 'place', order: 1, amount: 1, market: 0 }, { untilSigned: true });
  bot.store.addSigned((step?.commands ?? []).flatMap(placedOrders).map(signedRecord));
  bot.store.flushDeferred();
}
