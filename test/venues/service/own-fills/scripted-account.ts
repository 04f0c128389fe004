/** An account at a scripted venue: its orders, fills and own-order stream, on a transport without a network. */
import { SHARE } from '../../../../src/domain/index.ts';
import {
  type FillFieldsFragment,
  OPERATIONS,
  type Operation,
  type OrderFieldsFragment,
} from '../../../../src/protocol/index.ts';
import type { SignedRecord } from '../../../../src/runtime/index.ts';
import { ClockOffset } from '../../../../src/venues/base/clock-offset.ts';
import type { WireOrderEvent } from '../../../../src/venues/service/orders/own-event.ts';
import { jsonText } from '../../../../src/venues/service/transport/client-frame.ts';
import {
  type Answer,
  OperationTexts,
  parseEndpoint,
  type StreamHandle,
  type StreamSink,
  type Transport,
} from '../../../../src/venues/service/transport/index.ts';
import { SILENT } from '../harness.ts';
import { AT, cancelled, fillOf, isOpen, page, positionOf, restingOrder } from './scripted-rows.ts';

const FULL_BPS = 10_000;

/** The scripted fields of a fill; its order gives the others. */
export interface ScriptedFill {
  readonly shares: number;
  readonly tradeId?: string;
  readonly seq?: number;
  readonly price?: number;
  /** The stream reports the fill now. Default true. */
  readonly isReported?: boolean;
}

interface Listener {
  readonly variables: () => { readonly afterSeq?: string };
  readonly next: (event: WireOrderEvent) => void;
}

export class ScriptedAccount {
  /** All events of the stream, oldest first. */
  readonly events: WireOrderEvent[] = [];
  readonly fills: FillFieldsFragment[] = [];
  readonly orders = new Map<string, OrderFieldsFragment>();
  /** Mutations that were received, as text. */
  readonly sent: string[] = [];
  /** Oldest event that the stream still has. A client that requests an earlier event gets a GAP. */
  oldest = 0;
  /** Number after which the stream starts for any request; undefined: the requested number. */
  replaysFrom: number | undefined;
  /** Number after which `fills` starts for any request; undefined: the requested number. */
  fillsFrom: number | undefined;
  /** Ledger entries without an order, newest first: kind and micro-USD. */
  movements: readonly (readonly [kind: string, amount: number])[] = [];
  /** Called after the answer to a query is computed and before it is delivered. */
  onRead: (field: string) => void = () => {};
  cash = 1_000 * SHARE;
  yes = 0;
  no = 0;
  seq = 100;
  readonly marketId: string;
  readonly address: string;
  readonly #queries: string[] = [];
  #listeners = new Set<Listener>();

  constructor(marketId: string, address: string) {
    this.marketId = marketId;
    this.address = address;
  }

  /** Accepts an order, which then rests. */
  accept(record: SignedRecord): void {
    const { hash, command } = record;
    this.orders.set(hash, restingOrder(hash, command, { marketId: this.marketId, seq: this.seq + 1 }));
    this.#emit('ACCEPTED', hash, {});
  }

  /** Fills part of an order. */
  fill(hash: string, { shares, tradeId, seq, price, isReported = true }: ScriptedFill): FillFieldsFragment {
    const order = this.#order(hash);
    const number = seq ?? this.seq + 1;
    const priceBps = price ?? order.priceBps;
    const fill = fillOf(order, { shares, tradeId, priceBps, seq: number });
    const remainingShares = order.remainingShares - shares;
    const status = remainingShares === 0 ? 'FILLED' : 'PARTIALLY_FILLED';
    this.#set(hash, { remainingShares, filledShares: order.filledShares + shares, status, seq: String(number) });
    this.fills.push(fill);
    const isBuy = order.side === 'BUY';
    this.yes += isBuy ? shares * SHARE : -shares * SHARE;
    this.cash -= ((isBuy ? 1 : -1) * shares * SHARE * priceBps) / FULL_BPS;
    if (isReported) this.#emit('FILLED', hash, { fill, seq: number });
    else this.seq = Math.max(this.seq, number);
    return fill;
  }

  /** Reports a fill on the stream, without a change of the account. */
  reportFill(fill: FillFieldsFragment, seq = Number(fill.seq)): void {
    this.#emit('FILLED', fill.orderId, { fill, seq });
  }

  /** Reverses a fill and restores cash and shares. */
  reverse(fill: FillFieldsFragment): void {
    const order = this.#order(fill.orderId);
    const sign = fill.side === 'BUY' ? -1 : 1;
    this.yes += sign * fill.shares * SHARE;
    this.cash -= (sign * fill.shares * SHARE * fill.priceBps) / FULL_BPS;
    this.fills.splice(this.fills.indexOf(fill), 1);
    this.#set(fill.orderId, { filledShares: order.filledShares - fill.shares, seq: String(this.seq + 1) });
    this.#emit('REVERSED', fill.orderId, { fill });
  }

  /** Reports an order on the stream under `seq`, without a change of the account's number. */
  reportOrder(seq: number, hash: string): void {
    const prevSeq = String(this.seq);
    const event = { seq: String(seq), prevSeq, order: this.#order(hash), fill: null, cancelReason: null, at: AT };
    for (const { next } of this.#listeners) next({ kind: 'REDUCED', ...event });
  }

  /** Sends a SYNC: the stream has no newer event. */
  sync(): void {
    for (const { next } of this.#listeners) next(this.#mark('SYNC'));
  }

  cancel(hash: string): void {
    this.#set(hash, { status: 'CANCELLED', remainingShares: 0, seq: String(this.seq + 1) });
    this.#emit('CANCELLED', hash, {});
  }

  /** Starts each subscription again, as after a reconnect. */
  restart(): void {
    for (const listener of this.#listeners) this.begin(listener);
  }

  /** Resets `oldest`, `fillsFrom` and `replaysFrom`. */
  clearFaults(): void {
    this.oldest = 0;
    this.fillsFrom = undefined;
    this.replaysFrom = undefined;
  }

  /** Returns how often a query was sent. */
  queryCount(field: string): number {
    return this.#queries.filter((name) => name === field).length;
  }

  /** Sends the events after the requested number, or after `replaysFrom`, and then a SYNC. */
  begin(listener: Listener): void {
    const { afterSeq } = listener.variables();
    const requested = afterSeq === undefined ? this.seq : Number(afterSeq);
    const from = this.replaysFrom ?? requested;
    if (from < this.oldest) listener.next(this.#mark('GAP'));
    else for (const event of this.events.filter(({ seq }) => Number(seq) > from)) listener.next(event);
    listener.next(this.#mark('SYNC'));
  }

  /** Creates a transport that reaches this account. */
  transport(clock: Transport['clock']): Transport {
    const listeners = new Set<Listener>();
    const answer = async <Data>(name: string, text: string): Promise<Answer<Data>> => {
      // An answer never arrives during the call itself.
      await Promise.resolve();
      const data: Data = JSON.parse(JSON.stringify(this.#answer(name, JSON.parse(text))));
      this.onRead(name);
      return { type: 'data', data, errors: [] };
    };
    return {
      clock,
      endpoint: parseEndpoint({ url: 'http://venue.invalid' }),
      operations: new OperationTexts(),
      log: SILENT,
      offset: new ClockOffset(),
      isOpen: true,
      query: (operation, variables) => answer(operation.name, JSON.stringify(variables)),
      queryDocument: () => Promise.reject(new Error('the script has no answer')),
      mutate: (operation, variables) => answer(operation.name, JSON.stringify(variables)),
      send: (operation, variables, onAnswer) => {
        void answer<never>(operation.name, jsonText(variables)).then(onAnswer);
        return true;
      },
      subscribe: <Data, Variables>(
        operation: Operation<Data, Variables>,
        variables: () => Variables,
        sink: StreamSink<Data>,
      ): StreamHandle => {
        if (operation.name !== OPERATIONS.orderEvents.name) throw new Error(`no script for ${operation.name}`);
        const listener: Listener = {
          variables: () => JSON.parse(JSON.stringify(variables())),
          next: (orderEvents) => sink.next(JSON.parse(JSON.stringify({ orderEvents }))),
        };
        const begin = (): void =>
          queueMicrotask(() => {
            if (this.#listeners.has(listener)) this.begin(listener);
          });
        this.#listeners.add(listener);
        listeners.add(listener);
        begin();
        return { resubscribe: begin, end: () => void this.#listeners.delete(listener) };
      },
      setCredentials: () => {},
      renew: () => {},
      pace: () => {},
      open: () => Promise.resolve(),
      onLink: () => () => {},
      close: async () => {
        for (const listener of listeners) this.#listeners.delete(listener);
      },
    };
  }

  #answer(name: string, { input, orderHash, ids }: ScriptedVariables): object {
    const { marketId, yes, no } = this;
    this.#queries.push(name.toLowerCase());
    switch (name) {
      case OPERATIONS.me.name:
        return {
          me: { address: this.address, scopes: ['READ', 'TRADE'], apiKeys: [], orderEpoch: '0', rateBuckets: [] },
        };
      case OPERATIONS.orders.name:
        return { orders: page([...this.orders.values()].filter(isOpen)) };
      case OPERATIONS.order.name: {
        const order = this.orders.get(orderHash ?? '') ?? null;
        return { order: { found: order !== null, order, fills: [] } };
      }
      case OPERATIONS.fills.name:
        return {
          fills: page(this.fills.filter(({ seq }) => Number(seq) > (this.fillsFrom ?? Number(input?.afterSeq ?? 0)))),
        };
      case OPERATIONS.positions.name:
        return { positions: page([positionOf(marketId, 'YES', Math.max(0, yes)), positionOf(marketId, 'NO', no)]) };
      case OPERATIONS.balance.name:
        return { balance: { availableMicros: String(this.cash), reservedMicros: '0' } };
      case OPERATIONS.ledger.name:
        return {
          ledger: page(
            this.movements.map(([kind, amount]) => ({
              kind,
              marketId: kind === 'SPLIT' ? marketId : null,
              amountMicros: String(amount),
              at: AT,
            })),
          ),
        };
      case OPERATIONS.cancelOrders.name:
        this.sent.push(`cancel ${ids?.length}`);
        for (const id of ids ?? []) if (this.orders.has(id)) this.cancel(id);
        return { cancelOrders: { results: ids?.map((orderId) => cancelled(orderId)), seq: String(this.seq) } };
      case OPERATIONS.placeOrder.name:
        this.sent.push('place');
        return { placeOrder: { accepted: true, rejection: null } };
      case OPERATIONS.placeOrders.name:
        this.sent.push('place');
        return { placeOrders: { results: input?.orders?.map(() => ({ accepted: true, rejection: null })) } };
      case OPERATIONS.replaceOrders.name:
        this.sent.push(`replace ifNoFillSince ${input?.ifNoFillSince}`);
        return { replaceOrders: { committed: true, cancelled: [], placed: [], rejection: null } };
      default:
        throw new Error(`the script has no answer to ${name}`);
    }
  }

  #emit(
    kind: WireOrderEvent['kind'],
    hash: string,
    { fill = null, seq = this.seq + 1 }: { readonly fill?: FillFieldsFragment | null; readonly seq?: number },
  ): void {
    const prevSeq = this.seq;
    this.seq = Math.max(this.seq, seq);
    const cancelReason = kind === 'CANCELLED' ? 'USER' : null;
    const numbers = { seq: String(seq), prevSeq: String(prevSeq) };
    const event: WireOrderEvent = { kind, ...numbers, order: this.#order(hash), fill, cancelReason, at: AT };
    this.events.push(event);
    for (const { next } of this.#listeners) next(event);
  }

  #mark(kind: 'GAP' | 'SYNC'): WireOrderEvent {
    const seq = String(this.seq);
    return { kind, seq, prevSeq: seq, order: null, fill: null, cancelReason: null, at: AT };
  }

  #order(hash: string): OrderFieldsFragment {
    const order = this.orders.get(hash);
    if (order === undefined) throw new Error(`no order ${hash}`);
    return order;
  }

  #set(hash: string, more: Partial<OrderFieldsFragment>): void {
    this.orders.set(hash, { ...this.#order(hash), ...more });
  }
}

interface ScriptedVariables {
  readonly input?: { readonly afterSeq?: string; readonly ifNoFillSince?: string; readonly orders?: readonly object[] };
  readonly orderHash?: string;
  readonly ids?: readonly string[];
}
