/** A bot's records in memory: steps, signed orders and stream position become durable together, as in `BotStore`. */
import type { EpochMs, OrderNo } from '../../../src/domain/index.ts';
import type {
  EventStore,
  OrderRecords,
  SignedRecord,
  Step,
  StoredCash,
  StoredTrade,
} from '../../../src/runtime/index.ts';

export class MemoryRecords implements OrderRecords, EventStore {
  readonly steps: Step[] = [];
  readonly rows: SignedRecord[] = [];
  streamPosition = 0;
  epoch = 0;
  #reached = 0;
  readonly #ended = new Set<OrderNo>();

  addSigned(rows: readonly SignedRecord[]): void {
    for (const row of rows) {
      if (this.findByHash(row.hash) !== undefined) throw new RangeError(`order ${row.order} was signed before`);
      this.rows.push(row);
    }
  }

  unfinishedOrders(): readonly SignedRecord[] {
    return this.rows.filter(({ order }) => !this.#ended.has(order));
  }

  findByHash(hash: string): SignedRecord | undefined {
    return this.rows.find((row) => row.hash === hash);
  }

  findByNumber(order: OrderNo): SignedRecord | undefined {
    return this.rows.find((row) => row.order === order);
  }

  trades(max: number): readonly StoredTrade[] {
    const stored = this.steps.flatMap(({ event }): readonly StoredTrade[] => {
      if (event?.type === 'orderFilled' && event.trade !== undefined) return [{ ...event, trade: event.trade }];
      if (event?.type === 'cashAdjusted' && event.trade !== undefined) return [{ ...event, trade: event.trade }];
      return [];
    });
    return stored.slice(-max);
  }

  reversedTrades(max: number): readonly string[] {
    return this.steps.flatMap(({ event }) => (event?.type === 'fillReversed' ? [event.trade] : [])).slice(-max);
  }

  cash(since: EpochMs): StoredCash {
    const events = this.steps.flatMap(({ event }) => event ?? []);
    const adjusted = events.filter((event) => event.type === 'cashAdjusted');
    return {
      firstRunAt: events.find(({ type }) => type === 'cashAdjusted' || type === 'holdingAdjusted')?.time,
      paid: events.filter((event) => event.type === 'makerPaid').filter(({ day }) => day >= since),
      adjusted: adjusted.filter(({ time }) => time >= since),
    };
  }

  advanceStreamPosition(position: number): void {
    this.#reached = Math.max(this.#reached, position);
  }

  resetStreamPosition(position: number): void {
    this.#reached = position;
  }

  setEpoch(epoch: number): void {
    this.epoch = epoch;
  }

  append(steps: readonly Step[], position = 0): void {
    this.steps.push(...steps);
    this.advanceStreamPosition(position);
    this.streamPosition = this.#reached;
    for (const { event } of steps) {
      if (event?.type === 'orderRejected' || event?.type === 'orderClosed') this.#ended.add(event.order);
      else if (event?.type === 'orderFilled' && event.remaining === 0) this.#ended.add(event.order);
      else if (event?.type === 'ordersReplaced') for (const order of event.closed) this.#ended.add(order);
    }
  }

  /** Returns a copy as after a crash: positions that no step made durable are lost. */
  afterCrash(): MemoryRecords {
    const copy = new MemoryRecords();
    copy.steps.push(...this.steps);
    copy.rows.push(...this.rows);
    copy.streamPosition = this.streamPosition;
    copy.#reached = this.streamPosition;
    copy.epoch = this.epoch;
    for (const order of this.#ended) copy.#ended.add(order);
    return copy;
  }
}
