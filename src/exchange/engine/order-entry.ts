/**
 * Accepts orders: single ones, batches, and initial orders of new markets.
 *
 * HOT: every order passes here (bench/exchange.ts).
 */
import type { Clearing } from '../accounts/clearing.ts';
import type { PlaceBatch } from '../command.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { CLOSE } from '../matching/codes.ts';
import type { AccountCommand, OrderTerms } from '../order-terms.ts';
import { type Refusal, refused } from '../refusal.ts';
import { callerRefusal } from './credentials.ts';
import { type EventSequencer, WHOLE_COMMAND } from './event-sequencer.ts';
import type { ExchangeState } from './exchange-state.ts';
import { explainRefusal } from './explain-refusal.ts';
import type { FastPathValidator } from './fast-path-validator.ts';
import { areOrders, findInvalidOrderField } from './invalid-field.ts';
import type { MatchHandler } from './match-handler.ts';
import { haveValidTypes } from './order-form.ts';
import type { OrderGroups } from './order-groups.ts';
import type { OrderOwners } from './order-owners.ts';
import type { OrderContext, OrderMarket, OrderValidator, ValidatedOrder } from './order-validator.ts';

export interface OrderEntryDeps extends ExchangeState {
  readonly validator: OrderValidator;
  readonly fastPath: FastPathValidator;
  readonly matchHandler: MatchHandler;
}

export class OrderEntry {
  readonly #context: OrderEntryDeps;
  // State that every order needs; declared for speed (docs/decisions/0017).
  declare private readonly validator: OrderValidator;
  declare private readonly fastPath: FastPathValidator;
  declare private readonly records: readonly MarketRecord[];
  declare private readonly matchHandler: MatchHandler;
  declare private readonly clearing: Clearing;
  declare private readonly owners: OrderOwners;
  declare private readonly sequencer: EventSequencer;
  declare private readonly groups: OrderGroups;

  constructor(context: OrderEntryDeps) {
    this.#context = context;
    this.validator = context.validator;
    this.fastPath = context.fastPath;
    this.records = context.records;
    this.matchHandler = context.matchHandler;
    this.clearing = context.clearing;
    this.owners = context.owners;
    this.sequencer = context.sequencer;
    this.groups = context.groups;
  }

  /** @param entry index in its command, for refusals */
  place(caller: AccountCommand, terms: OrderTerms, entry: number): void {
    if (terms.hash !== undefined && this.reportUsedHash(caller, terms.hash, entry)) return;
    if (!this.#enterFast(caller, terms)) this.#placeWithAllChecks(caller, terms, entry);
  }

  /** Tries only the fast path. @returns false if the order needs `place`; then nothing has changed */
  placeFast(caller: AccountCommand, terms: OrderTerms): boolean {
    return terms.hash === undefined && this.#enterFast(caller, terms);
  }

  #enterFast(caller: AccountCommand, terms: OrderTerms): boolean {
    const market = typeof terms.market === 'number' ? this.records[terms.market] : undefined;
    const { fastPath } = this;
    if (market === undefined || !fastPath.passes(caller, terms, market)) return false;
    const order = this.#accept(caller, terms, market, fastPath.kind, fastPath.holding);
    market.book.enterGtc(order, fastPath.kind, fastPath.level, terms.shares, this.matchHandler.holding);
    return true;
  }

  /** Runs all checks. Separate from `place`, because V8 inlines only a limited amount of code into a function. */
  #placeWithAllChecks(caller: AccountCommand, terms: OrderTerms, entry: number): void {
    const market = typeof terms.market === 'number' ? this.records[terms.market] : undefined;
    const refusal = this.refusal(caller, terms, market, undefined);
    if (refusal !== undefined) this.sequencer.sink.refused(entry, refusal);
    else if (market !== undefined) this.enter(caller, terms, market, this.validator);
  }

  /** Checks an order. `market` is undefined for an unknown market, and `context` for a single order. */
  refusal(
    caller: AccountCommand,
    terms: OrderTerms,
    market: OrderMarket | undefined,
    context: OrderContext | undefined,
  ): Refusal | undefined {
    if (!haveValidTypes(caller, terms)) return refused('INVALID_ORDER', findInvalidOrderField({ ...caller, ...terms }));
    if (market === undefined) return callerRefusal(caller, this.#context) ?? refused('NOT_FOUND', 'marketId');
    const { validator } = this;
    const failedCheck = validator.test(caller, terms, market, context);
    return failedCheck === 0
      ? undefined
      : explainRefusal(failedCheck, { caller, terms, market, context, validator }, this.#context);
  }

  /** Places the orders in sequence, each with its own result. Reports a used hash before it checks the account. */
  placeBatch(batch: PlaceBatch): void {
    const { conditions, sequencer } = this.#context;
    if (!areOrders(batch.orders)) {
      sequencer.sink.refused(WHOLE_COMMAND, refused('INVALID_ORDER', 'orders'));
      return;
    }
    const max = conditions.config.maxBatchOrders;
    const count = batch.orders.length;
    if (count > max) {
      const tooLong = refused('INVALID_ORDER', 'orders', max, count, 'COUNT');
      sequencer.sink.refused(WHOLE_COMMAND, callerRefusal(batch, this.#context) ?? tooLong);
      return;
    }
    let entry = 0;
    for (const terms of batch.orders) this.place(batch, terms, entry++);
  }

  /** Emits `duplicate`, or a refusal to another account, if the hash was used before. @returns whether it was used */
  reportUsedHash({ account }: AccountCommand, hash: string, entry: number): boolean {
    // A store can look up only texts. A later check refuses other types.
    if (typeof hash !== 'string') return false;
    const { identities, owners, sequencer } = this.#context;
    const order = identities.orderOfHash(hash);
    if (order === 0) return false;
    if (owners.accountOf(order) === account) sequencer.sink.duplicate(entry, order);
    else sequencer.sink.refused(entry, refused('SIGNER_NOT_ALLOWED'));
    return true;
  }

  /** Enters a valid order, which matches, rests or ends. @returns the order's number */
  enter(caller: AccountCommand, terms: OrderTerms, market: MarketRecord, validated: ValidatedOrder): number {
    const { kind, force, selfTrade } = validated;
    const order = this.#accept(caller, terms, market, kind, validated.holding);
    const { group } = terms;
    // An earlier order of the same replace may have tripped the group.
    if (group !== 0 && this.groups.isTripped(group)) this.sequencer.closed(order, terms.shares, CLOSE.orderGroupLimit);
    else market.book.enter(order, kind, force, terms.price, terms.shares, this.matchHandler.holding, selfTrade);
    return order;
  }

  /** Accepts a valid order and passes its fields to `MatchHandler`. @returns the order's number */
  #accept(caller: AccountCommand, terms: OrderTerms, market: MarketRecord, kind: number, oldHolding: number): number {
    const { matchHandler } = this;
    const { account } = caller;
    const holding = oldHolding === 0 ? this.clearing.open(account, market.number) : oldHolding;
    const order = this.owners.add(account);
    if (terms.hash !== undefined || terms.clientOrderId !== undefined) this.#addIdentity(order, account, terms);
    this.sequencer.accepted(order, account, terms);
    matchHandler.order = order;
    matchHandler.market = market.number;
    matchHandler.kind = kind;
    matchHandler.holding = holding;
    matchHandler.credential = caller.credential;
    matchHandler.group = terms.group;
    matchHandler.expiration = terms.expiration;
    matchHandler.feeRateBps = market.feeRateBps;
    matchHandler.lastFill = 0;
    return order;
  }

  #addIdentity(order: number, account: number, { hash, clientOrderId }: OrderTerms): void {
    this.#context.identities.add(order, account, hash, clientOrderId);
    this.#context.digest.add(order, account, hash, clientOrderId);
  }
}
