/** Reconciles the core's account with the venue's at the start, before the first quote. */
import { Fault } from '../../domain/index.ts';
import { readPolymarketOwnTrade } from '../../protocol/polymarket/index.ts';
import {
  accountChangingFault,
  accountDiffersFault,
  countJournal,
  type StartPolicy,
  type StartResult,
  type VenueOrder,
} from '../base/index.ts';
import type { PolymarketAccount } from './account.ts';
import { MISSING_MS, type PollingDeps, readList } from './account-poller.ts';
import type { CancelSender } from './cancel-sender.ts';
import { isFinalTrade, type OrderRecord } from './own-event-translator.ts';
import type { UnknownOrders } from './unknown-orders.ts';

export interface PolymarketStartPolicy extends StartPolicy {
  /** Fills of earlier runs that may be reversed. */
  readonly unsettled: readonly string[];
}

interface AccountStartDeps extends PollingDeps {
  readonly account: PolymarketAccount;
  readonly cancels: CancelSender;
  readonly unknown: UnknownOrders;
}

const PAUSE_MS = 25;
const CANCEL_LEFTOVERS_TIMEOUT_MS = 15_000;
const MAX_ATTEMPTS = 20;
/** Age up to which a trade of a taken-over account may still fail, seconds. */
const RECENT_S = 3_600;
/** Pause between two requests while recent trades settle, and longest wait for all of them, ms. */
const [SETTLE_PAUSE_MS, SETTLE_MS] = [1_000, 60_000];

export class AccountStart {
  readonly #deps: AccountStartDeps;

  constructor(deps: AccountStartDeps) {
    this.#deps = deps;
  }

  /** Opens the user channel and reconciles. @throws Fault RECONCILE naming unexplained differences; LINK, VENUE */
  async run(policy: PolymarketStartPolicy, openChannel: () => Promise<void>): Promise<StartResult> {
    const { records, orders, timers, clock, venueTime } = this.#deps;
    this.#deps.account.warnOfUnlistedMarkets();
    this.#deps.translator.restore(policy.unsettled);
    if (policy.isFirst) await this.#waitForRecentTrades();
    await openChannel();
    const ordersCompared = orders.size;
    const listed = await this.#deps.poller.poll();
    if (this.#deps.poller.hasMissing) {
      await timers.wait(MISSING_MS);
      await this.#deps.poller.poll();
    }
    for (const order of orders.open()) {
      if (!order.life.isUnconfirmed) continue;
      order.cancelIfAtVenue();
      this.#deps.unknown.resolve(order);
    }
    await this.cancelStillOpen(listed);
    const live = orders.open().filter(({ life }) => life.isLive);
    const journal = countJournal(policy.journal, orders);
    // An earlier run got no answer to these cancels.
    const unanswered = live.filter(({ life }) => life.request === 'cancel');
    if (policy.leftovers === 'cancel') await this.#cancelLeftovers(live);
    else this.#deps.cancels.cancel(unanswered, { isRequested: true });
    const { differences, canAccept } = await this.#readStartDifferences(policy);
    const texts = this.#deps.account.describe(differences);
    if (!canAccept) throw accountDiffersFault(texts);
    this.#deps.account.acceptVenueBalances(differences);
    // A first run stores the time from which its trades are known.
    if (policy.isFirst) records.advanceStreamPosition(venueTime(clock.now()) * 1_000);
    const leftovers = {
      found: live.length,
      cancelled: live.filter(({ life }) => life.hasEnded).length,
      adopted: policy.leftovers === 'adopt' ? live.filter(({ life }) => life.isLive).length : 0,
      ...journal,
    };
    const result = { orders: ordersCompared, leftovers };
    if (differences.length === 0 || policy.isFirst) return { ...result, differences: [], outcome: 'agrees' };
    return { ...result, differences: texts, outcome: 'adjusted' };
  }

  /** Cancels listed own orders that are recorded as ended. Reads each order first, because the list may be older. */
  async cancelStillOpen(listed: readonly OrderRecord[]): Promise<void> {
    const { orders, records, log, timers } = this.#deps;
    for (const { id: hash } of listed) {
      const record = orders.byHash(hash) === undefined ? records.findByHash(hash) : undefined;
      if (record === undefined) continue;
      const found = await this.#deps.unknown.find(hash);
      const isOver = found === undefined || found.status === 'CANCELED' || found.status === 'INVALID';
      if (isOver || found.matched >= found.size) continue;
      if (timers.isClosed || orders.byHash(hash) !== undefined) continue;
      const order = orders.add(record);
      order.life.onAccepted();
      order.ifAtVenue = 'cancelUnreported';
      log.warn({ order: record.order, hash }, 'an order recorded as ended is open at the venue');
      this.#deps.cancels.cancel([order], { isRequested: false });
    }
  }

  /**
   * Waits until a taken-over account's recent trades are settled, because balances include only settled trades.
   * @throws Fault RECONCILE naming a trade that is not settled; LINK, VENUE
   */
  async #waitForRecentTrades(): Promise<void> {
    const { clock, timers } = this.#deps;
    const began = clock.now();
    const after = String(Math.floor(began / 1_000) - RECENT_S);
    for (;;) {
      const trades = await readList(this.#deps, '/data/trades', { after }, readPolymarketOwnTrade);
      const unsettled = trades.find(({ status }) => !isFinalTrade(status));
      if (unsettled === undefined) {
        for (const trade of trades) this.#deps.translator.skipInitialTrade(trade);
        return;
      }
      const problem = `trade ${unsettled.id} of the account is ${unsettled.status}`;
      if (clock.now() - began > SETTLE_MS) throw new Fault('RECONCILE', `${problem}. Start again when it is settled`);
      await timers.wait(SETTLE_PAUSE_MS);
    }
  }

  /** Reads the differences, and whether they can be accepted. @throws Fault RECONCILE if the account keeps changing */
  async #readStartDifferences({ isFirst, adopt }: StartPolicy) {
    const { timers, account, translator, poller } = this.#deps;
    for (let count = 0; count < MAX_ATTEMPTS; count += 1) {
      const positionBefore = translator.position;
      const differences = account.findDifferences(await account.read('all'));
      // Trades that changed the balances are in the lists by now.
      if (differences.length > 0) await poller.poll();
      if (translator.position === positionBefore)
        return { differences, canAccept: isFirst || adopt || account.isExplained(differences) };
      await timers.wait(PAUSE_MS * (count + 1));
    }
    throw accountChangingFault();
  }

  async #cancelLeftovers(live: readonly VenueOrder[]): Promise<void> {
    const { timers, clock } = this.#deps;
    this.#deps.cancels.cancel(live, { isRequested: false });
    const deadline = clock.now() + CANCEL_LEFTOVERS_TIMEOUT_MS;
    const liveOrders = (): readonly VenueOrder[] => this.#deps.orders.open().filter(({ life }) => life.isLive);
    while (liveOrders().length > 0) {
      if (clock.now() > deadline) {
        const names = liveOrders().map(({ record }) => `${record.order} (${record.hash})`);
        const problem = `own orders of an earlier run cannot be cancelled: ${names.join(', ')}`;
        throw new Fault('RECONCILE', `${problem}. Cancel them on the venue's page`);
      }
      await timers.wait(PAUSE_MS);
    }
  }
}
