import type { EventNumbers } from '../../exchange/index.ts';
import { pairByKey } from './compare-tables.ts';
import type { Connection } from './database.ts';
import { blockFault, type EventBlock, eventsIn } from './event-block.ts';

/** Yields order events from id `from` on. Skips damaged blocks, which `row-check.ts` reports. @throws SqliteError */
function* storedEvents(connection: Connection, from: number): Generator<EventNumbers, undefined> {
  const rows = connection.prepare<[number], EventNumbers>(
    'SELECT *, order_no AS "order" FROM order_events WHERE id >= ? ORDER BY id',
  );
  yield* rows.iterate(from);
  const blocks = connection.prepare<[number], EventBlock>('SELECT * FROM event_blocks WHERE last >= ? ORDER BY last');
  for (const block of blocks.iterate(from)) {
    if (blockFault(block) !== undefined) continue;
    for (const event of eventsIn(block)) if (event.id >= from) yield event;
  }
  return undefined;
}

/** Returns each account's last event id before `from`, or 0. Omits accounts without events from `from` on. */
export function lastEventsBefore(connection: Connection, from: number): ReadonlyMap<number, number> {
  const lastEvents = new Map<number, number>();
  for (const { account, previous } of storedEvents(connection, from)) {
    if (!lastEvents.has(account)) lastEvents.set(account, previous < from ? previous : 0);
  }
  return lastEvents;
}

const IDS = ['previous', 'account', 'market', 'order'] as const;
const COLUMNS = [...IDS, 'kind', 'shares', 'filled', 'amount', 'fee', 'status', 'reason', 'at'] as const;

/**
 * Yields the differences between a file's events and the rebuilt events.
 * @param from events before this id were not rebuilt
 * @param kept number of newest events that are never removed. Older events may be missing
 */
export function* compareEvents(file: Connection, rebuilt: Connection, from: number, kept: number): Iterable<string> {
  let hasBegun = !hasAtLeast(file, kept);
  const events = pairByKey(storedEvents(file, from), storedEvents(rebuilt, from), (one, other) => one.id - other.id);
  for (const [event, rebuiltEvent] of events) {
    if (event !== undefined && rebuiltEvent !== undefined) {
      hasBegun = true;
      const values = COLUMNS.filter((column) => event[column] !== rebuiltEvent[column]).map(
        (column) => `${column} is ${event[column]}; the records give ${rebuiltEvent[column]}`,
      );
      if (values.length > 0) yield `order event ${event.id}: ${values.join('; ')}`;
    } else if (event !== undefined) yield `order event ${event.id}: no record explains it`;
    else if (hasBegun) yield `order event ${rebuiltEvent?.id}: it is missing`;
  }
}

function hasAtLeast(connection: Connection, count: number): boolean {
  const sql = 'SELECT (SELECT count(*) FROM order_events) + (SELECT coalesce(sum(count), 0) FROM event_blocks)';
  return (connection.prepare<[], number>(sql).pluck().get() ?? 0) >= count;
}
