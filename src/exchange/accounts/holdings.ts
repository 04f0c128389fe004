/**
 * The holdings of accounts in markets: an entry for each pair of account and market that ever had an order or shares,
 * numbered 1, 2, 3 … A holding has two *positions*, YES and NO.
 *
 * HOT: every order finds a holding here, 7 ns among 1,000, 35 to 170 ns among a million (bench/exchange.ts). A holding
 * takes 153 bytes; unused capacity takes no memory. `open` may replace the columns, so read them again after each call.
 *
 * Invariants: holding 0 means "none" in every link and stays empty, so a missing holding reads as 0. Holdings are never
 * removed; each pair has at most one. Each chain begins with the last opened holding. A restored exchange opens
 * holdings in another sequence, so results must not depend on the sequence (`ofAccount` and `ofMarket` sort).
 */
import { ascending, type Outcome } from '../../domain/index.ts';
import { checkedColumnLength, columnLength, growFlags, growFloats, growInts } from './columns.ts';
import {
  COST,
  FEES,
  freeAt,
  NET_PAID,
  noPositionStart,
  positionStart,
  REALIZED,
  REFUND,
  RESERVED_CASH,
  RESERVED_SHARES,
  rowStart,
  SHARES,
} from './holding-amounts.ts';

/** The rows take at most 8 GB. */
const HOLDING_LIMIT = 1 << 26;
export const MAX_HOLDINGS = HOLDING_LIMIT - 1;
const BUCKETS_PER_HOLDING = 4;
/** A row's length is 2^5 integers. Amounts take the first 24. */
const CELL_BITS = 5;
const ACCOUNT = 24;
const MARKET = 25;
const NEXT_IN_BUCKET = 26;

/** Finds and opens holdings. `Clearing` and `Settlement` write the amounts. */
export class Holdings {
  /** Rows of amounts (holding-amounts.ts). */
  declare amounts: Float64Array;
  /** 1 once a claim has paid. */
  declare claimed: Uint8Array;
  /** Previously opened holding of the same account. */
  declare nextOfAccount: Int32Array;
  /** Previously opened holding in the same market. */
  declare nextOfMarket: Int32Array;
  /** The memory of `amounts` as integers. Each row has `ACCOUNT`, `MARKET` and `NEXT_IN_BUCKET`, a holding. */
  declare private cells: Int32Array;
  declare private buckets: Int32Array;
  declare private hashShift: number;
  declare private accountHeads: Int32Array;
  declare private marketHeads: Int32Array;
  #count = 0;

  /** @param capacity number of holdings before the columns double; default 1023 */
  constructor(capacity = 1023) {
    const length = checkedColumnLength('capacity of holdings', capacity, HOLDING_LIMIT);
    this.amounts = new Float64Array(rowStart(length));
    this.cells = new Int32Array(this.amounts.buffer);
    this.claimed = new Uint8Array(length);
    this.nextOfAccount = new Int32Array(length);
    this.nextOfMarket = new Int32Array(length);
    this.buckets = new Int32Array(BUCKETS_PER_HOLDING * length);
    this.hashShift = Math.clz32(this.buckets.length) + 1;
    this.accountHeads = new Int32Array(64);
    this.marketHeads = new Int32Array(64);
  }

  /** Number of holdings, which is also the last holding's number. */
  get count(): number {
    return this.#count;
  }

  /** Returns the holding of an account in a market; 0 if there is none. */
  find(account: number, market: number): number {
    const { cells } = this;
    let holding = this.buckets[this.#hash(account, market)]!;
    while (holding !== 0) {
      const cell = holding << CELL_BITS;
      if (cells[cell | ACCOUNT] === account && cells[cell | MARKET] === market) break;
      holding = cells[cell | NEXT_IN_BUCKET]!;
    }
    return holding;
  }

  /** Returns the account of a holding; 0 for holding 0. */
  accountOf(holding: number): number {
    return this.cells[(holding << CELL_BITS) | ACCOUNT]!;
  }

  marketOf(holding: number): number {
    return this.cells[(holding << CELL_BITS) | MARKET]!;
  }

  /** Finds or creates a holding. Call this only for accepted commands: a refused command must not take memory. */
  open(account: number, market: number): number {
    const found = this.find(account, market);
    if (found !== 0) return found;
    if (this.#count === this.claimed.length - 1) this.#grow();
    if (account >= this.accountHeads.length) this.accountHeads = growInts(this.accountHeads, columnLength(account));
    if (market >= this.marketHeads.length) this.marketHeads = growInts(this.marketHeads, columnLength(market));
    const holding = ++this.#count;
    this.cells[(holding << CELL_BITS) | ACCOUNT] = account;
    this.cells[(holding << CELL_BITS) | MARKET] = market;
    this.nextOfAccount[holding] = this.firstOfAccount(account);
    this.nextOfMarket[holding] = this.firstOfMarket(market);
    this.accountHeads[account] = holding;
    this.marketHeads[market] = holding;
    this.#link(holding);
    return holding;
  }

  /** Returns the start of the chain `nextOfAccount`; 0 if there is none. */
  firstOfAccount(account: number): number {
    return this.accountHeads[account] ?? 0;
  }

  /** Returns the start of the chain `nextOfMarket`; 0 if there is none. */
  firstOfMarket(market: number): number {
    return this.marketHeads[market] ?? 0;
  }

  /** Returns all holdings of an account, sorted by market. */
  ofAccount(account: number): readonly number[] {
    const list: number[] = [];
    for (let at = this.firstOfAccount(account); at !== 0; at = this.nextOfAccount[at]!) list.push(at);
    return list.sort((a, b) => ascending(this.marketOf(a), this.marketOf(b)));
  }

  /** Returns all holdings in a market, sorted by account. */
  ofMarket(market: number): readonly number[] {
    const list: number[] = [];
    for (let at = this.firstOfMarket(market); at !== 0; at = this.nextOfMarket[at]!) list.push(at);
    return list.sort((a, b) => ascending(this.accountOf(a), this.accountOf(b)));
  }

  /**
   * Returns the micro-shares of an outcome that are not in open SELL orders.
   * @param kind a code of `ORDER_KIND`, of which only the outcome counts
   */
  freeSharesOfKind(holding: number, kind: number): number {
    return freeAt(this.amounts, positionStart(holding, kind));
  }

  /** Returns the micro-shares of an outcome, including shares in open SELL orders. */
  shares(holding: number, outcome: Outcome): number {
    return this.amounts[position(holding, outcome) | SHARES]!;
  }

  /** Returns the micro-shares of an outcome in open SELL orders. */
  reservedShares(holding: number, outcome: Outcome): number {
    return this.amounts[position(holding, outcome) | RESERVED_SHARES]!;
  }

  /** Returns the cost of an outcome's shares, micro-USD. After a refund, the YES cost is the net cash paid in. */
  cost(holding: number, outcome: Outcome): number {
    return this.amounts[position(holding, outcome) | COST]!;
  }

  /** Returns the realized P&L of an outcome after fees, in micro-USD. */
  realized(holding: number, outcome: Outcome): number {
    return this.amounts[position(holding, outcome) | REALIZED]!;
  }

  /** Returns the micro-USD reserved by open BUY orders. */
  reservedCash(holding: number): number {
    return this.amounts[rowStart(holding) | RESERVED_CASH]!;
  }

  /** Returns buys and splits less sales and merges, in micro-USD, without fees and claims. */
  netPaid(holding: number): number {
    return this.amounts[rowStart(holding) | NET_PAID]!;
  }

  /** Returns the taker fees paid, in micro-USD, refunded if the market is CANCELLED. */
  fees(holding: number): number {
    return this.amounts[rowStart(holding) | FEES]!;
  }

  /** Returns the refund of a CANCELLED market with fees, in micro-USD, claimed or not; otherwise 0. */
  refund(holding: number): number {
    return this.amounts[rowStart(holding) | REFUND]!;
  }

  /** Returns the bucket by Fibonacci hashing, so that consecutive account numbers rarely share a bucket. */
  #hash(account: number, market: number): number {
    return (Math.imul(account, 0x9e3779b1) + Math.imul(market, 0x297a2d39)) >>> this.hashShift;
  }

  #link(holding: number): void {
    const bucket = this.#hash(this.accountOf(holding), this.marketOf(holding));
    this.cells[(holding << CELL_BITS) | NEXT_IN_BUCKET] = this.buckets[bucket]!;
    this.buckets[bucket] = holding;
  }

  #grow(): void {
    const length = 2 * this.claimed.length;
    if (length > HOLDING_LIMIT) throw new RangeError(`Invariant: more than ${this.#count} holdings`);
    this.amounts = growFloats(this.amounts, rowStart(length));
    this.cells = new Int32Array(this.amounts.buffer);
    this.claimed = growFlags(this.claimed, length);
    this.nextOfAccount = growInts(this.nextOfAccount, length);
    this.nextOfMarket = growInts(this.nextOfMarket, length);
    this.buckets = new Int32Array(BUCKETS_PER_HOLDING * length);
    this.hashShift = Math.clz32(this.buckets.length) + 1;
    for (let holding = 1; holding <= this.#count; holding++) this.#link(holding);
  }
}

function position(holding: number, outcome: Outcome): number {
  return outcome === 'YES' ? rowStart(holding) : noPositionStart(holding);
}
