/** Subscribers that read slowly or never: the server's memory is bounded, and every message arrives complete. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientBook } from './client-book.ts';
import { RawClient } from './raw-client.ts';
import { idOf, Venue } from './venue.ts';

const BOOK =
  'subscription ($id: ID!) { orderBookUpdated(marketId: $id) { kind seq prevSeq bids { priceBps shares orderCount } asks { priceBps shares orderCount } checksum } }';
const SLOW_BYTES = 4_000;
const MAX_BACKLOG_BYTES = 60_000;

describe('a subscriber that does not read', () => {
  let venue: Venue;
  beforeEach(async () => {
    venue = await Venue.open({ slowBytes: SLOW_BYTES, maxBacklogBytes: MAX_BACKLOG_BYTES });
    await venue.account();
    await venue.account();
    await venue.market();
  });
  afterEach(() => venue.close());

  /** Executes ten commands in each of several turns. @returns the largest backlog, bytes */
  const flood = async (turns: number) => {
    let maxBacklog = 0;
    for (let turn = 0; turn < turns; turn += 1) {
      const each = Array.from({ length: 5 }, () => venue.place(1, { price: 4000, size: 1 }));
      await Promise.all([
        ...each,
        ...Array.from({ length: 5 }, () => venue.place(2, { outcome: 'NO', price: 6000, size: 1 })),
      ]);
      maxBacklog = Math.max(maxBacklog, venue.streams.traffic.backlogBytes);
    }
    return maxBacklog;
  };

  it('has a bounded backlog for a book, and gets a new snapshot when it reads again', async () => {
    const client = await RawClient.ready(venue.url);
    client.subscribe('b', BOOK, { id: idOf(0) });
    const book = new ClientBook();
    book.apply(await client.event());
    // All orders of one event-loop turn. No data leaves within it, so the limit applies whatever system buffers hold.
    const many = Array.from({ length: 400 }, (_, at) => venue.place(1, { price: 1000 + 10 * (at % 40), size: 1 }));
    expect(venue.streams.traffic.backlogBytes).toBeLessThan(2 * SLOW_BYTES);
    await Promise.all(many);
    client.web.pause();
    expect(await flood(100)).toBeLessThan(2 * MAX_BACKLOG_BYTES);
    client.web.resume();
    await venue.place(1, { price: 4010, size: 1 });
    while (book.seq !== venue.view.market(0)?.bookSeq) book.apply(await client.event());
    expect(book.levels().bids[0]).toBe('4010:1000000:1');
  });

  it('is closed with 1013 and a reason when it subscribes to trades', async () => {
    const client = await RawClient.ready(venue.url);
    const fields = 'id marketId outcome side priceBps lastTradePriceBps shares matchType seq executedAt';
    // A hundred messages for each trade fill the system buffers soon.
    for (let id = 0; id < 100; id += 1) {
      client.subscribe(`${id}`, `subscription ($id: ID!) { tradeExecuted(marketId: $id) { ${fields} } }`, {
        id: idOf(0),
      });
    }
    await client.settle();
    client.web.pause();
    let maxBacklog = 0;
    for (let turn = 0; turn < 400 && venue.streams.traffic.backlogBytes + 1 > 0; turn += 1) {
      await Promise.all([
        venue.place(1, { price: 5000, size: 1 }),
        venue.place(2, { outcome: 'NO', price: 5000, size: 1 }),
      ]);
      maxBacklog = Math.max(maxBacklog, venue.streams.traffic.backlogBytes);
      await new Promise(setImmediate);
    }
    expect(maxBacklog).toBeLessThan(2 * MAX_BACKLOG_BYTES);
    client.web.resume();
    expect(await client.closed).toEqual({ code: 1013, reason: 'slow consumer: tradeExecuted' });
  });

  it('does not delay a thousand other subscribers, which get every delta', async () => {
    const clients = await Promise.all(Array.from({ length: 1_000 }, () => RawClient.ready(venue.url)));
    for (const [at, client] of clients.entries()) client.subscribe(`s${at}`, BOOK, { id: idOf(0) });
    const books = clients.map(() => new ClientBook());
    const frozen = clients[0];
    await Promise.all(clients.map(async (client, at) => books[at]?.apply(await client.event())));
    frozen?.web.pause();
    for (let update = 0; update < 5; update += 1) {
      await venue.place(1, { price: 3000 + 10 * update, size: 1 });
      const reported = await Promise.all(clients.slice(1).map((client) => client.event()));
      for (const [at, event] of reported.entries()) expect(books[at + 1]?.apply(event)).toBe('applied');
    }
    expect(books.at(-1)?.levels().bids).toHaveLength(5);
    frozen?.web.resume();
  }, 180_000);
});
