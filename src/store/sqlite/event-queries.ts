/**
 * An account's order events. Each names the one before it: a list from the newest to the oldest that needs no index, whose
 * pages a busy venue would write at a thousand places a batch.
 */
import { type EventNumbers, type OrderEventRow, orderEventOf, type ResumedEvents } from '../../exchange/index.ts';
import { type Connection, guarded } from './database.ts';
import { firstSince, type Numbered } from './first-since.ts';

type EventColumns = Omit<EventNumbers, 'order'> & { readonly order_no: number };

/** Asks for events. */
export class EventQueries {
  readonly #file: string;
  readonly #byId;
  readonly #next;
  readonly #newest;

  constructor(connection: Connection, file: string) {
    this.#file = file;
    this.#byId = connection.prepare<[number], EventColumns>('SELECT * FROM order_events WHERE id = ?');
    this.#next = connection.prepare<[number], Numbered>(
      'SELECT id, at FROM order_events WHERE id >= ? ORDER BY id LIMIT 1',
    );
    this.#newest = connection
      .prepare<[number], number>('SELECT id FROM order_events ORDER BY id DESC LIMIT 1 OFFSET ?')
      .pluck();
  }

  /**
   * Walks back from the newest event.
   * @param newest id of the account's last event, 0 for none
   */
  after(newest: number, afterSeq: number, market: number | undefined, most: number): ResumedEvents {
    const events: OrderEventRow[] = [];
    let id = newest;
    let seen = 0;
    for (; id !== 0 && Math.floor(id / 2) > afterSeq; seen += 1) {
      const event = seen < most ? this.#event(id) : undefined;
      if (event === undefined) return { events: [], isComplete: false };
      if (market === undefined || event.row.market === market) events.push(event.row);
      id = event.previous;
    }
    const [oldest] = events.toReversed();
    if (market === undefined || oldest === undefined) return { events: events.toReversed(), isComplete: true };
    // The link of the oldest: the event before it in that market, as far as there are any.
    let before = this.#event(id);
    for (; before !== undefined && before.row.market !== market && seen < most; seen += 1) {
      before = this.#event(before.previous);
    }
    let prevSeq = before?.row.market === market ? before.row.seq : 0;
    const linked = events.toReversed().map((event) => {
      const again = { ...event, prevSeq };
      prevSeq = event.seq;
      return again;
    });
    return { events: linked, isComplete: true };
  }

  /** The id before which all events are older than a moment and none is among the newest `keep`; 0 for none. */
  boundary(olderThan: number, keep: number): number {
    return guarded(this.#file, 'read', () => {
      const end = this.#newest.get(keep);
      if (end === undefined) return 0;
      return firstSince(olderThan, end, (id) => this.#next.get(id));
    });
  }

  #event(id: number): { readonly row: OrderEventRow; readonly previous: number } | undefined {
    if (id === 0) return undefined;
    const found = guarded(this.#file, 'read', () => this.#byId.get(id));
    if (found === undefined) return undefined;
    const { order_no: order, ...same } = found;
    return { row: orderEventOf({ ...same, order }), previous: same.previous };
  }
}
