/** The state that commands read and change, apart from the books. */
import { ascending, type EpochMs, unchecked, type VenueMode } from '../../domain/index.ts';
import { type Accounts, MAX_ACCOUNTS } from '../accounts/accounts.ts';
import { Clearing, type ClearingCapacity } from '../accounts/clearing.ts';
import { AS_FLOAT, MAX_MAP_ENTRIES } from '../accounts/columns.ts';
import { type Holdings, MAX_HOLDINGS } from '../accounts/holdings.ts';
import { DEFAULT_CONFIG, type ExchangeConfig } from '../config.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { Markets } from '../markets/markets.ts';
import { MAX_OPEN_ORDERS, OrderSlots } from '../matching/order-slots.ts';
import type { QuotePolicyName } from '../quotes/retail-quote.ts';
import { type Refusal, refused } from '../refusal.ts';
import { IGNORED_EVENTS } from '../sink.ts';
import { Credentials } from './credentials.ts';
import { DEADLINE_RANK, Deadlines } from './deadlines.ts';
import { EventSequencer } from './event-sequencer.ts';
import { type Identities, IdentityDigest, MemoryIdentities } from './identities.ts';
import { OrderGroups } from './order-groups.ts';
import { OrderOwners } from './order-owners.ts';

/**
 * The technical maximum of each kind of entry; memory may run out earlier. A command that needs more is refused
 * (ABOVE_MAX). Limits are fixed for the lifetime of a journal. The counts come from the state, so that a replay refuses
 * the same commands. Only `holdings` may differ, because a restored exchange omits empty holdings.
 */
const CAPACITY_LIMITS = {
  /** Open orders in all markets, including waiting initial orders. */
  openOrders: MAX_OPEN_ORDERS,
  /** Pairs of account and market that ever had an order or shares. */
  holdings: MAX_HOLDINGS,
  accounts: MAX_ACCOUNTS,
  markets: MAX_MAP_ENTRIES,
  orderGroups: MAX_MAP_ENTRIES,
  /** Credentials with an armed or lapsed dead-man's switch. */
  credentials: MAX_MAP_ENTRIES / 2,
  /** Revoked credentials. Their limit is separate, so that armed switches cannot prevent a revocation. */
  revocations: MAX_MAP_ENTRIES / 2,
};
export type ExchangeLimits = Readonly<typeof CAPACITY_LIMITS>;

/** Number of entries before columns double; unused entries take no memory. */
export interface ExchangeCapacity extends ClearingCapacity {
  /** Open orders; default 1023. */
  readonly orders?: number;
}

export interface StateOptions {
  /** Defaults of docs/spec/venue.md#limits; changed by `configure`. */
  readonly config?: ExchangeConfig;
  /** The policy is fixed for the lifetime of the exchange; default additive. */
  readonly quotePolicy?: QuotePolicyName;
  /** Store with exactly the identities of the exchange's state. Default: an empty store in memory. */
  readonly identities?: Identities;
  readonly capacity?: ExchangeCapacity;
  /** The default of each limit is its technical maximum. */
  readonly limits?: Partial<ExchangeLimits>;
}

/** Time, mode and configuration that all checks read. */
export class Conditions {
  /** Time of the current command or deadline; between commands, time of the last event. */
  now: EpochMs = unchecked.time(AS_FLOAT);
  mode: VenueMode = 'NORMAL';
  declare config: ExchangeConfig;
  declare quotePolicy: QuotePolicyName;

  constructor({ config = DEFAULT_CONFIG, quotePolicy = 'additive' }: StateOptions) {
    this.now = unchecked.time(0);
    this.config = Object.freeze({ ...config });
    this.quotePolicy = quotePolicy;
  }
}

export class ExchangeState {
  declare readonly conditions: Conditions;
  readonly sequencer = new EventSequencer(IGNORED_EVENTS);
  declare readonly clearing: Clearing;
  declare readonly accounts: Accounts;
  declare readonly slots: OrderSlots;
  readonly owners = new OrderOwners();
  declare readonly identities: Identities;
  readonly digest = new IdentityDigest();
  readonly groups = new OrderGroups();
  readonly credentials = new Credentials();
  readonly markets = new Markets();
  readonly records: readonly MarketRecord[] = this.markets.list;
  declare readonly deadlines: Deadlines;
  declare readonly orderCloser: OrderCloser;
  declare readonly limits: ExchangeLimits;

  constructor(options: StateOptions) {
    const { identities, capacity = {}, limits } = options;
    this.limits = { ...CAPACITY_LIMITS, ...limits };
    this.conditions = new Conditions(options);
    this.clearing = new Clearing(capacity);
    this.accounts = this.clearing.accounts;
    this.slots = new OrderSlots(capacity.orders, capacity.holdings);
    this.identities = identities ?? new MemoryIdentities();
    this.deadlines = new Deadlines((time, rank, subject) => this.#isDeadlineValid(time, rank, subject));
    this.orderCloser = new OrderCloser(this.slots, this.clearing.holdings, this.records);
  }

  /** Returns the refusal of one more entry; undefined if there is room. @param count present number of entries */
  capacityRefusal(name: keyof ExchangeLimits, count: number): Refusal | undefined {
    const max = this.limits[name];
    return count < max ? undefined : refused('ABOVE_MAX', name, max, count + 1, 'COUNT');
  }

  #isDeadlineValid(time: number, rank: number, subject: number): boolean {
    if (rank === DEADLINE_RANK.expiration) {
      const slot = this.slots.find(subject);
      return slot !== 0 && this.slots.expiration(slot) === time;
    }
    if (rank === DEADLINE_RANK.heartbeat) return this.credentials.firesAt(subject, time);
    return this.markets.get(subject)?.deadline === time;
  }
}

type SlotFilter = (slot: number) => boolean;

/** Closes orders in the order of their acceptance, the only order that a snapshot stores. */
export class OrderCloser {
  declare private readonly slots: OrderSlots;
  declare private readonly holdings: Holdings;
  declare private readonly records: readonly MarketRecord[];

  constructor(slots: OrderSlots, holdings: Holdings, records: readonly MarketRecord[]) {
    this.slots = slots;
    this.holdings = holdings;
    this.records = records;
  }

  /** @param reason a code of `CLOSE` */
  closeSlot(slot: number, reason: number): void {
    this.marketOf(slot).book.close(slot, reason);
  }

  /** Closes the open orders of an account that `isSelected` accepts, in all markets; default: all orders. */
  closeAccountOrders(account: number, reason: number, isSelected?: SlotFilter): void {
    for (const order of this.ordersOf(account, isSelected)) this.closeSlot(this.slots.find(order), reason);
  }

  /** Returns the slots of a holding's open orders, in order of arrival. */
  slotsOf(holding: number): readonly number[] {
    const list: number[] = [];
    const slots = this.slots;
    for (let slot = slots.firstOfHolding(holding); slot !== 0; slot = slots.nextOfHolding(slot)) list.push(slot);
    return list;
  }

  /** Returns the numbers of an account's open orders that `isSelected` accepts, in order of arrival. */
  ordersOf(account: number, isSelected: SlotFilter = () => true): readonly number[] {
    const slots = this.holdings.ofAccount(account).flatMap((holding) => this.slotsOf(holding).filter(isSelected));
    return slots.map((slot) => this.slots.order(slot)).sort(ascending);
  }

  marketOf(slot: number): MarketRecord {
    const market = this.records[this.slots.book(slot)];
    if (market === undefined) throw new RangeError(`Invariant: slot ${slot} is in no market`);
    return market;
  }
}
