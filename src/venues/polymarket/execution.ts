/**
 * Own orders at the venue, from the command to the event: sends the core's commands and reports what became of them, and keeps the
 * account compared. Nothing is reported to the core before `send` returns.
 */
import type { Random } from '../../clock/index.ts';
import { type CancelOrder, Fault, type OrderCommand, OrderLifecycle, type ReplaceOrders } from '../../domain/index.ts';
import { readPolymarketOwnTrade } from '../../protocol/polymarket/index.ts';
import type { SignedRecord } from '../../runtime/index.ts';
import { type Compared, ExecutionReporter, type Leftovers, type VenueOrder } from '../base/index.ts';
import { PolymarketAccount } from './account.ts';
import { Cancels } from './cancels.ts';
import type { PolymarketDeps } from './deps.ts';
import { OwnFacts, type SellableFrom } from './own-facts.ts';
import { Places } from './places.ts';
import type { PolymarketCredentials } from './rest-client.ts';
import { endOf, readList, Sweeps } from './sweep.ts';
import { UnknownOrders } from './unknown-orders.ts';
import { UserChannel } from './user-channel.ts';

export interface ExecutionOptions {
  readonly userUrl: string;
  readonly credentials: PolymarketCredentials;
  readonly random: Random;
  readonly sellableFrom: SellableFrom;
  readonly signatureType: number;
  /** State of an order in an earlier run; undefined if that run believed it ended. Called at the start only. */
  readonly restored: (record: SignedRecord) => OrderLifecycle | undefined;
  /** Own events may be missing from now on. */
  readonly lost: (problem: string) => void;
  /** Receives an error that cannot be handled here. */
  readonly fault: (error: unknown) => void;
}

export interface StartPolicy {
  readonly leftovers: 'cancel' | 'adopt';
  readonly adopt: boolean;
  /** Nothing was stored before: what the account has is taken over. */
  readonly isFirst: boolean;
}

export interface Started extends Compared {
  readonly leftovers: Leftovers;
}

/** Own orders that may still stand. */
export interface StillOpen {
  /** Hashes of orders of ours that the venue has open. */
  readonly atVenue: readonly string[];
  /** Number of other orders with an unknown end, including those in flight. */
  readonly unknown: number;
}

const PAUSE_MS = 25;
const OPEN_MS = 15_000;
const LEFTOVERS_MS = 15_000;
const SWEEP_MS = 30_000;
const MOST_ATTEMPTS = 20;

export class Execution {
  readonly account: PolymarketAccount;
  readonly #deps: PolymarketDeps;
  readonly #options: ExecutionOptions;
  readonly #facts: OwnFacts;
  readonly #sweeps: Sweeps;
  readonly #cancels: Cancels;
  readonly #places: Places;
  readonly #unknown: UnknownOrders;
  readonly #channel: UserChannel;
  readonly #reporter: ExecutionReporter;
  /** The user channel is open, and everything before was read. */
  #isCurrent = false;
  #opened: (() => void) | undefined;

  constructor(deps: PolymarketDeps, options: ExecutionOptions) {
    this.#deps = deps;
    this.#options = options;
    const reporter = new ExecutionReporter(deps);
    this.#reporter = reporter;
    this.#facts = new OwnFacts({
      ...deps,
      reporter,
      sellableFrom: options.sellableFrom,
      owner: () => options.credentials.apiKey,
      tradesMissing: () => deps.timers.after(TRADES_MISSING_MS, () => this.#sweepSoon()),
    });
    this.#sweeps = new Sweeps(deps, this.#facts);
    this.#cancels = new Cancels(deps, reporter, this.#facts, this.#sweeps);
    this.#unknown = new UnknownOrders(deps, this.#facts, reporter, this.#sweeps);
    this.#places = new Places(deps, { reporter, facts: this.#facts, unknown: this.#unknown });
    this.account = new PolymarketAccount(deps, this.#facts, options.signatureType);
    reporter.onUnwanted = (order) => this.#cancels.want([order], false);
    this.#channel = new UserChannel({
      url: options.userUrl,
      credentials: options.credentials,
      clock: deps.clock,
      random: options.random,
      order: (record, at) => {
        const order = deps.orders.byHash(record.id);
        if (order !== undefined) this.#facts.order(record, at, endOf(order));
      },
      trade: (trade, at) => this.#facts.trade(trade, at),
      opened: () => this.#channelOpened(),
      lost: (problem) => {
        this.#isCurrent = false;
        options.lost(problem);
      },
    });
  }

  /** Own orders that were sent and whose end was not reported. */
  get openOrders(): number {
    return this.#deps.orders.size;
  }

  /** Nothing is on its way and no end is unknown. */
  get isQuiet(): boolean {
    const { orders } = this.#deps;
    const isOnItsWay = orders.open().some((order) => order.life.isUnconfirmed || this.#facts.isEnding(order));
    return this.#cancels.waiting === 0 && this.#unknown.size === 0 && !isOnItsWay;
  }

  /** @throws Fault RECONCILE naming each difference that nothing explains; LINK, VENUE */
  async start(policy: StartPolicy): Promise<Started> {
    const { records, orders, timers, clock } = this.#deps;
    const journal = records.unsettled();
    for (const record of journal) this.#restore(record);
    if (policy.isFirst) await this.#passOverTrades();
    await this.#open();
    const count = orders.size;
    const { orders: open } = await this.#sweeps.run();
    // What a first sweep does not find is believed by the second.
    await timers.wait(PAUSE_MS);
    await this.#sweeps.run();
    for (const order of orders.open()) {
      if (!order.life.isUnconfirmed) continue;
      order.cancelIfSeen();
      this.#unknown.open(order);
    }
    this.#cancelReturned(open.map(({ id }) => id));
    const standing = orders.open().filter(({ life }) => life.isLive);
    const ended = journal.filter(({ hash }) => orders.byHash(hash)?.life.hasEnded ?? true).length;
    if (policy.leftovers === 'cancel') await this.#cancelLeftovers(standing);
    const { differences, isTaken } = await this.#startDifferences(policy);
    const texts = this.account.texts(differences);
    if (!isTaken) {
      const remedy = "Find out why, then start with --adopt to take the venue's word";
      throw new Fault(
        'RECONCILE',
        `the venue's account is not what the stored one says: ${texts.join('; ')}. ${remedy}`,
      );
    }
    this.account.takeOver(differences);
    this.#isCurrent = true;
    timers.every(SWEEP_MS, () => this.#sweepSoon());
    // A bot that stored nothing stores from when on it knows its trades.
    if (policy.isFirst) records.reached(clock.now() * 1_000);
    const leftovers: Leftovers = {
      found: standing.length,
      cancelled: standing.filter(({ life }) => life.hasEnded).length,
      adopted: policy.leftovers === 'adopt' ? standing.filter(({ life }) => life.isLive).length : 0,
      ended,
    };
    const isAsBefore = differences.length === 0 || policy.isFirst;
    return {
      orders: count,
      leftovers,
      differences: isAsBefore ? [] : texts,
      outcome: isAsBefore ? 'agrees' : 'adjusted',
    };
  }

  send(commands: readonly OrderCommand[]): void {
    for (let at = 0; at < commands.length; ) {
      const command = commands[at];
      if (command === undefined) return;
      let end = at + 1;
      if (command.type === 'place' || command.type === 'cancel') while (commands[end]?.type === command.type) end += 1;
      this.#carryOut(command, commands.slice(at, end));
      at = end;
    }
  }

  /**
   * Compares once. What only deposits, rebates or payouts can explain is taken over; anything else `disagrees`.
   * @returns undefined where something moved meanwhile: try again. @throws Fault LINK, VENUE
   */
  async compare(): Promise<Compared | undefined> {
    if (!this.#channel.isOpen) return undefined;
    const { orders: open } = await this.#sweeps.run();
    if (!this.#isCurrent && this.#channel.isOpen) this.#isCurrent = true;
    this.#cancels.connected();
    const before = this.#facts.position;
    const count = this.openOrders;
    this.#cancelReturned(open.map(({ id }) => id));
    const holdings = await this.account.read(false);
    if (this.#facts.position !== before || !this.#channel.isOpen) return undefined;
    const differences = this.account.differences(holdings);
    const texts = this.account.texts(differences);
    if (differences.length === 0) return { outcome: 'agrees', orders: count, differences: [] };
    if (!this.account.isExplained(differences)) return { outcome: 'disagrees', orders: count, differences: texts };
    this.account.takeOver(differences);
    return { outcome: 'adjusted', orders: count, differences: texts };
  }

  /** @throws Fault LINK, VENUE */
  async verifyNoneOpen(timeoutMs: number): Promise<StillOpen> {
    const { timers, clock, orders, records } = this.#deps;
    const end = clock.now() + timeoutMs;
    const isDone = (): boolean => timers.isClosed || (orders.size === 0 && this.isQuiet);
    while (clock.now() < end && !isDone()) await timers.pause(PAUSE_MS);
    const { orders: open } = await this.#sweeps.run();
    const atVenue = open.map(({ id }) => id).filter((id) => records.find(id) !== undefined);
    return { atVenue, unknown: orders.open().filter(({ hash }) => !atVenue.includes(hash)).length };
  }

  close(): void {
    this.#channel.close();
  }

  #carryOut(command: OrderCommand, run: readonly OrderCommand[]): void {
    const { orders, timers } = this.#deps;
    switch (command.type) {
      case 'place':
        this.#places.send(run.filter((each) => each.type === 'place'));
        return;
      case 'cancel': {
        const wanted: VenueOrder[] = [];
        for (const each of run.filter(({ type }) => type === 'cancel') as readonly CancelOrder[]) {
          const order = orders.byNumber(each.order);
          if (order === undefined) timers.soon(() => this.#reporter.cancelRefused(each, 'ALREADY_FINAL'));
          else wanted.push(order);
        }
        this.#cancels.want(wanted, true);
        return;
      }
      case 'cancelAll':
        this.#cancels.all(command.everyone === true);
        return;
      case 'reduce':
        timers.soon(() => this.#reporter.cancelRefused(command, 'CONFLICT'));
        return;
      case 'replace':
        timers.soon(() => this.#refuseReplace(command));
        return;
      default: {
        const { type: conversion, bot, market } = command;
        timers.soon(() => {
          const time = this.#deps.clock.now();
          const reason = 'CONFLICT' as const;
          this.#deps.report({ type: 'conversionRejected', time, venueTime: time, conversion, bot, market, reason });
        });
      }
    }
  }

  /** The venue has no replace in one step: the planner sends none (`PlannerOptions.hasReplace`). */
  #refuseReplace({ cancels, places, market }: ReplaceOrders): void {
    for (const { order } of cancels) this.#reporter.cancelRefused({ order, market }, 'CONFLICT');
    const time = this.#deps.clock.now();
    for (const { order } of places)
      this.#deps.report({ type: 'orderRejected', time, venueTime: time, order, market, reason: 'CONFLICT' });
  }

  async #open(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#opened = resolve;
    this.#channel.connect();
    const { timers, clock } = this.#deps;
    const isOpen = await Promise.race([
      promise.then(() => true),
      timers.until(() => false, clock.now() + OPEN_MS, 250),
    ]);
    this.#opened = undefined;
    if (!isOpen) {
      const problem = "the user channel of Polymarket did not open. Check venue.ws_url, and the account's API key";
      throw new Fault('LINK', problem, { retryable: true });
    }
  }

  #channelOpened(): void {
    this.#opened?.();
    // What was missed is read by the comparison that follows a loss.
    if (this.#opened === undefined && !this.#isCurrent) this.#options.lost('the user channel is open again');
  }

  /** Trades of an account that a new bot takes over: they are in its holdings. */
  async #passOverTrades(): Promise<void> {
    const now = this.#deps.clock.now();
    const after = String(Math.floor(now / 1_000) - RECENT_S);
    const trades = await readList(this.#deps.rest, '/data/trades', { after }, readPolymarketOwnTrade);
    for (const trade of trades) this.#facts.passOver(trade, now);
  }

  /** @returns what differs, and whether it may be taken over. @throws Fault RECONCILE if the account keeps changing */
  async #startDifferences({ isFirst, adopt }: StartPolicy) {
    const { timers } = this.#deps;
    for (let count = 0; count < MOST_ATTEMPTS; count += 1) {
      const before = this.#facts.position;
      const differences = this.account.differences(await this.account.read(true));
      if (this.#facts.position === before)
        return { differences, isTaken: isFirst || adopt || this.account.isExplained(differences) };
      await timers.wait(PAUSE_MS * (count + 1));
    }
    throw new Fault('RECONCILE', 'the account keeps changing: others trade on it; stop them for the start');
  }

  async #cancelLeftovers(standing: readonly VenueOrder[]): Promise<void> {
    const { timers, clock } = this.#deps;
    this.#cancels.want(standing, false);
    const end = clock.now() + LEFTOVERS_MS;
    const left = (): readonly VenueOrder[] => this.#deps.orders.open().filter(({ life }) => life.isLive);
    while (left().length > 0) {
      if (clock.now() > end) {
        const names = left().map(({ record }) => `${record.order} (${record.hash})`);
        throw new Fault(
          'RECONCILE',
          `own orders of an earlier run cannot be cancelled: ${names.join(', ')}. Cancel them on the venue's page`,
        );
      }
      await timers.wait(PAUSE_MS);
    }
  }

  /** Own orders that stand at the venue and that the core takes for ended. */
  #cancelReturned(open: readonly string[]): void {
    const { orders, records, log } = this.#deps;
    for (const hash of open) {
      const record = orders.byHash(hash) === undefined ? records.find(hash) : undefined;
      if (record === undefined) continue;
      const order = orders.add(record);
      order.life.accepted();
      order.ifSeen = 'cancelUnreported';
      log.warn({ order: record.order, hash }, 'an order that counted as ended is open at the venue');
      this.#cancels.want([order], false);
    }
  }

  #sweepSoon(): void {
    this.#sweeps.run().catch((error: unknown) => {
      if (!this.#deps.timers.isClosed)
        this.#deps.log.warn({ err: error }, 'polymarket: orders and trades could not be read');
    });
  }

  /** An order of an earlier run. */
  #restore(record: SignedRecord): void {
    const { orders } = this.#deps;
    const known = this.#options.restored(record);
    if (known === undefined) {
      orders.add(record).ifSeen = 'cancelUnreported';
      return;
    }
    const { isLive, remaining, request } = known;
    orders.add(record, OrderLifecycle.restored(isLive ? 'live' : 'sent', remaining, request));
  }
}

/** Trades are told before this, or they are read; ms. */
const TRADES_MISSING_MS = 500;
/** A trade of an account that is taken over may fail so long after it, seconds. */
const RECENT_S = 3_600;
