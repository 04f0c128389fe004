import { type InstanceNo, type OrderNo, unchecked } from '../domain/index.ts';

const PAGE_ORDERS = 65_536;
/** Enough for the last million orders, in 2 MB. */
const MAX_PAGES = 16;
/** Number of orders in a snapshot, besides open orders. Late answers arrive within seconds, so thousands are enough. */
const SNAPSHOT_ORDERS = 4_096;

export interface InstanceIndexSnapshot {
  /** Highest order number + 1. */
  readonly next: number;
  /** Instance number + 1, or 0, of each order just below `next`, ascending: 16 bits each, little-endian, base64. */
  readonly last: string;
}

/** Maps the last million orders to their strategy instances. Numbers ascend, so pages hold two bytes per order. */
export class InstanceIndex {
  /** Instance number + 1 by order number; 0 for none. The first page has the number `#first`; none is missing. */
  readonly #pages: Uint16Array[] = [];
  #first = 0;
  #next = 0;

  /** Lowest order number in the pages. */
  get lowest(): number {
    return this.#first * PAGE_ORDERS;
  }

  set(order: OrderNo, instance: InstanceNo): void {
    this.#put(order, instance + 1);
    if (order >= this.#next) this.#next = order + 1;
  }

  get(order: OrderNo): InstanceNo | undefined {
    const entry = this.#pages[Math.floor(order / PAGE_ORDERS) - this.#first]?.[order % PAGE_ORDERS] ?? 0;
    return entry === 0 ? undefined : unchecked.instance(entry - 1);
  }

  snapshot(): InstanceIndexSnapshot {
    const from = Math.max(0, this.#next - SNAPSHOT_ORDERS);
    const last = Buffer.alloc(2 * (this.#next - from));
    for (let order = from; order < this.#next; order += 1) {
      const instance = this.get(unchecked.order(order));
      last.writeUInt16LE(instance === undefined ? 0 : instance + 1, 2 * (order - from));
    }
    return { next: this.#next, last: last.toString('base64') };
  }

  /** Adds the orders of a snapshot. Call `set` for older open orders first. */
  restore({ next, last }: InstanceIndexSnapshot): void {
    const bytes = Buffer.from(last, 'base64');
    const from = next - bytes.length / 2;
    for (let order = from; order < next; order += 1) this.#put(order, bytes.readUInt16LE(2 * (order - from)));
    this.#next = next;
  }

  #put(order: number, entry: number): void {
    const page = Math.floor(order / PAGE_ORDERS);
    if (page < this.#first) return;
    if (this.#pages.length === 0) this.#first = page;
    const removed = page - MAX_PAGES + 1 - this.#first;
    // Checked first, because each call of `splice` allocates an array.
    if (removed > 0) {
      this.#pages.splice(0, removed);
      this.#first += removed;
    }
    while (this.#first + this.#pages.length <= page) this.#pages.push(new Uint16Array(PAGE_ORDERS));
    const entries = this.#pages[page - this.#first];
    if (entries !== undefined) entries[order % PAGE_ORDERS] = entry;
  }
}
