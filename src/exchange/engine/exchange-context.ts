/** Constructs and connects the parts of an exchange. */
import type { Accounts } from '../accounts/accounts.ts';
import { Clearing, type ClearingCapacity } from '../accounts/clearing.ts';
import type { ExchangeConfig } from '../config.ts';
import type { Sha256 } from '../market-event.ts';
import { Lifecycle } from '../markets/lifecycle.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { Markets } from '../markets/markets.ts';
import { MatchingBook } from '../matching/matching-book.ts';
import { OrderSlots } from '../matching/order-slots.ts';
import type { QuotePolicyName } from '../quotes/retail-quote.ts';
import { SILENT } from '../sink.ts';
import { BookKeeper } from './book-keeper.ts';
import { CancelHandler } from './cancel-handler.ts';
import { Conditions } from './conditions.ts';
import { Conversions } from './conversions.ts';
import { Credentials } from './credentials.ts';
import { Deadlines, RANK } from './deadlines.ts';
import { EventSequencer } from './event-sequencer.ts';
import { FastPathValidator } from './fast-path-validator.ts';
import { type Identities, IdentityDigest, MemoryIdentities } from './identities.ts';
import { CAPACITY_LIMITS, type ExchangeLimits } from './limits.ts';
import { MarketEffects } from './market-effects.ts';
import { Operations } from './operations.ts';
import { OrderCloser } from './order-closer.ts';
import { OrderEntry } from './order-entry.ts';
import { OrderGroups } from './order-groups.ts';
import { OrderOwners } from './order-owners.ts';
import { OrderValidator } from './order-validator.ts';
import { Recordings } from './recordings.ts';
import { ReplaceHandler } from './replace-handler.ts';
import { Reversals } from './reversals.ts';
import { Safety } from './safety.ts';
import { type BookFactory, TapeEffects } from './tape-effects.ts';

/** Number of entries before columns double; unused entries take no memory. */
export interface ExchangeCapacity extends ClearingCapacity {
  /** Open orders; default 1023. */
  readonly orders?: number;
}

export interface ExchangeOptions {
  /** sha256 of a text, for the transparency record. */
  readonly sha256: Sha256;
  /** Defaults of docs/spec/venue.md#limits; changed by `configure`. */
  readonly config?: ExchangeConfig;
  /** Fixed for the lifetime of the exchange; default additive. */
  readonly quotePolicy?: QuotePolicyName;
  /** Default: empty ones in memory. Must contain exactly the identities of the exchange's state. */
  readonly identities?: Identities;
  readonly capacity?: ExchangeCapacity;
  /** Capacity limits; default of each member: the technical maximum. */
  readonly limits?: Partial<ExchangeLimits>;
  /** Creates each market's book, also after a change of tick. Default `MatchingBook`. */
  readonly books?: BookFactory;
}

export class ExchangeContext {
  declare readonly conditions: Conditions;
  readonly sequencer = new EventSequencer(SILENT);
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
  declare readonly keeper: BookKeeper;
  declare readonly closing: OrderCloser;
  declare readonly reversals: Reversals;
  declare readonly validator: OrderValidator;
  declare readonly fastPath: FastPathValidator;
  declare readonly orderEntry: OrderEntry;
  declare readonly replacing: ReplaceHandler;
  declare readonly cancelling: CancelHandler;
  declare readonly safety: Safety;
  declare readonly conversions: Conversions;
  declare readonly operations: Operations;
  declare readonly effects: MarketEffects;
  declare readonly lifecycle: Lifecycle;
  declare readonly tape: TapeEffects;
  declare readonly recordings: Recordings;
  declare readonly makeBook: BookFactory;
  declare readonly limits: ExchangeLimits;

  constructor({ sha256, config, quotePolicy, identities, capacity = {}, limits, books }: ExchangeOptions) {
    this.limits = { ...CAPACITY_LIMITS, ...limits };
    this.conditions = new Conditions(config, quotePolicy);
    this.clearing = new Clearing(capacity);
    this.accounts = this.clearing.accounts;
    this.slots = new OrderSlots(capacity.orders, capacity.holdings);
    this.identities = identities ?? new MemoryIdentities();
    this.deadlines = new Deadlines((time, rank, who) => this.#isAlive(time, rank, who));
    this.closing = new OrderCloser({ slots: this.slots, holdings: this.clearing.holdings, records: this.records });
    this.reversals = new Reversals(this);
    this.keeper = new BookKeeper(this);
    this.validator = new OrderValidator(this);
    this.fastPath = new FastPathValidator(this);
    this.orderEntry = new OrderEntry(this);
    this.replacing = new ReplaceHandler(this);
    this.cancelling = new CancelHandler(this);
    this.safety = new Safety(this);
    this.keeper.closeGroup = (group, account) => this.safety.closeGroup(group, account);
    this.conversions = new Conversions(this);
    this.operations = new Operations(this);
    this.makeBook = books ?? ((bookOptions) => new MatchingBook(bookOptions));
    this.tape = new TapeEffects(this);
    this.effects = new MarketEffects(this);
    this.lifecycle = new Lifecycle({ markets: this.markets, effects: this.effects, sha256 });
    this.recordings = new Recordings(this);
  }

  /** Returns whether a deadline is still valid. */
  #isAlive(time: number, rank: number, subject: number): boolean {
    if (rank === RANK.expiration) {
      const slot = this.slots.find(subject);
      return slot !== 0 && this.slots.expiration(slot) === time;
    }
    if (rank === RANK.heartbeat) return this.credentials.firesAt(subject, time);
    return this.markets.get(subject)?.deadline === time;
  }
}
