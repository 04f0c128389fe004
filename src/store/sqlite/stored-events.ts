/** All order events of a database, one after the other, from rows and from blocks. */
import type { EventNumbers } from '../../exchange/index.ts';
import type { Connection } from './database.ts';
import { blockFault, type EventBlock, eventsIn } from './event-block.ts';

/** Events from an id on, in order. A block that is damaged is left out: `row-check.ts` tells of it. @throws SqliteError */
function* storedEvents(connection: Connection, from: number): Generator<EventNumbers, undefined> {
  const rows = connection.prepare<[number], Omit<EventNumbers, 'order'> & { readonly order_no: number }>(
    'SELECT * FROM order_events WHERE id >= ? ORDER BY id',
  );
  for (const { order_no: order, ...rest } of rows.iterate(from)) yield { ...rest, order };
  const blocks = connection.prepare<[number], EventBlock>('SELECT * FROM event_blocks WHERE last >= ? ORDER BY last');
  for (const block of blocks.iterate(from)) {
    if (blockFault(block) !== undefined) continue;
    for (const event of eventsIn(block)) if (event.id >= from) yield event;
  }
  return undefined;
}

/** The `previous` of each account's first event from an id on. */
export function firstLinksFrom(connection: Connection, from: number): ReadonlyMap<number, number> {
  const links = new Map<number, number>();
  for (const { account, previous } of storedEvents(connection, from)) {
    if (!links.has(account)) links.set(account, previous < from ? previous : 0);
  }
  return links;
}

const COLUMNS = [
  'previous',
  'account',
  'market',
  'order',
  'kind',
  'shares',
  'filled',
  'amount',
  'fee',
  'status',
  'reason',
  'at',
] as const;

/**
 * What differs between the events of a file and those made anew.
 * @param from events before this id were not made anew
 * @param kept so many of the newest are never let go of; where the file has more, older ones may be missing
 */
export function* compareEvents(file: Connection, rebuilt: Connection, from: number, kept: number): Iterable<string> {
  const isPruned = isMoreThan(file, kept);
  const made = storedEvents(rebuilt, from);
  try {
    yield* compared(storedEvents(file, from), made, isPruned);
  } finally {
    // A damaged page ends the other one: a connection whose rows are not read to the end cannot be closed.
    made.return(undefined);
  }
}

function* compared(
  mine: Generator<EventNumbers, undefined>,
  made: Generator<EventNumbers, undefined>,
  isPruned: boolean,
): Iterable<string> {
  let [event, other]: [EventNumbers | undefined, EventNumbers | undefined] = [mine.next().value, made.next().value];
  let hasBegun = !isPruned;
  while (event !== undefined || other !== undefined) {
    const [id, otherId] = [event?.id ?? Number.POSITIVE_INFINITY, other?.id ?? Number.POSITIVE_INFINITY];
    if (id < otherId) {
      yield `order event ${id}: no record leads to it`;
      event = mine.next().value;
    } else if (otherId < id) {
      if (hasBegun) yield `order event ${otherId}: it is missing`;
      other = made.next().value;
    } else if (event !== undefined && other !== undefined) {
      hasBegun = true;
      const [is, should] = [event, other];
      const told = COLUMNS.filter((column) => is[column] !== should[column]);
      const values = told.map((column) => `${column} is ${is[column]}, by the records ${should[column]}`);
      if (told.length > 0) yield `order event ${id}: ${values.join('; ')}`;
      [event, other] = [mine.next().value, made.next().value];
    }
  }
}

function isMoreThan(connection: Connection, count: number): boolean {
  const sql = 'SELECT (SELECT count(*) FROM order_events) + (SELECT coalesce(sum(count), 0) FROM event_blocks)';
  return (connection.prepare<[], number>(sql).pluck().get() ?? 0) >= count;
}
