import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EpochMs, InputFault, unchecked } from '../../../src/domain/index.ts';
import { type ExchangeCommand, RegistryTable, RowCursor, type TransferKind } from '../../../src/exchange/index.ts';
import { SqliteStore } from '../../../src/store/index.ts';
import { EngineBody } from '../../exchange/properties/bodies.ts';
import { move } from '../../exchange/properties/moves.ts';
import { OPENING, runSequence } from '../../exchange/properties/sequence.ts';
import { databaseFiles } from './files.ts';
import { openHarness, settled } from './harness.ts';
import { fillsIn, orderEventsIn } from './rows-in.ts';

const file = databaseFiles();
const time = unchecked.time(1_795_000_100_000);
const [account, credential] = [unchecked.account(1), unchecked.credential(1)];

function place(options: {
  readonly hash?: string;
  readonly clientOrderId?: string;
  readonly at?: EpochMs;
  readonly by?: number;
}): ExchangeCommand {
  const at = options.at ?? time;
  return {
    type: 'place',
    time: at,
    account: options.by === undefined ? account : unchecked.account(options.by),
    credential,
    market: unchecked.market(0),
    outcome: 'YES',
    side: 'BUY',
    price: unchecked.price(1000),
    shares: unchecked.shares(1_000_000),
    timeInForce: 'GTC',
    postOnly: false,
    expiration: 0,
    timestampMs: at,
    epoch: 0,
    maxFeeBps: 1000,
    replaces: 0,
    selfTrade: 'CANCEL_TAKER',
    group: unchecked.group(0),
    restriction: undefined,
    hash: options.hash,
    clientOrderId: options.clientOrderId,
  };
}

describe('signed orders and client order ids', () => {
  const digest = (end: string): string => `0x${end.padStart(64, '0')}`;

  it('are known after a restart, during and after the read of their keys, and with new orders', async () => {
    const name = file();
    const hashes = Array.from({ length: 2_300 }, (_, at) => digest((1e12 + at * 999_983_777).toString(16)));
    const first = openHarness({ file: name });
    for (const command of OPENING) first.apply(command);
    const amount = unchecked.usd(1_000_000_000);
    first.apply({ type: 'transfer', time, account: unchecked.account(4), amount });
    for (const hash of hashes) first.apply(place({ hash, by: 4 }));
    await settled(first);
    const numbers = hashes.map((hash) => first.store.identities.orderOfHash(hash));
    expect(new Set(numbers).size).toBe(hashes.length);
    expect(Math.min(...numbers)).toBeGreaterThan(0);
    await first.store.close();

    const { store, machine, apply } = openHarness({ file: name, thread: false });
    // Three commits read all keys; each is an unknown order.
    for (let at = 0; at < 5; at += 1) {
      const fresh = digest(`f${at}`);
      expect(store.identities.orderOfHash(fresh)).toBe(0);
      expect(hashes.map((hash) => store.identities.orderOfHash(hash))).toEqual(numbers);
      apply(place({ hash: fresh, by: 4 }));
      expect(store.identities.orderOfHash(fresh)).toBe(machine.view.orderCount);
    }
    await store.close();
  });

  it('are known while they are in progress, when they are durable, and after a restart', async () => {
    const name = file();
    for (let run = 0; run < 2; run += 1) {
      const harness = openHarness({ file: name });
      const received: string[] = [];
      const apply = (command: ExchangeCommand): void => {
        for (const event of harness.apply(command).events) {
          if (event.type === 'duplicate') received.push(`duplicate ${event.order}`);
          if (event.type === 'refused') received.push(event.refusal.reason);
        }
      };
      if (run === 0) for (const command of OPENING) harness.apply(command);
      const send = () => {
        apply(place({ hash: digest('a1'), clientOrderId: 'mine' }));
        apply(place({ hash: digest('a1') }));
        // The same last 48 bits, the key of the index.
        apply(place({ hash: digest('b0000000000a1') }));
        apply(place({ hash: digest(`c${run}`), clientOrderId: 'mine' }));
        apply(place({ hash: 'half a pair \ud800', clientOrderId: '\ud800' }));
        apply(place({ hash: `half another \udc00 ${run}`, clientOrderId: `\udc00 ${run}` }));
      };
      send();
      await settled(harness);
      const first =
        run === 0
          ? ['duplicate 1', 'CONFLICT']
          : ['duplicate 1', 'duplicate 1', 'duplicate 2', 'CONFLICT', 'duplicate 3'];
      expect(received.splice(0)).toEqual(first);
      send();
      await settled(harness);
      expect(received).toEqual([
        'duplicate 1',
        'duplicate 1',
        'duplicate 2',
        'CONFLICT',
        'duplicate 3',
        `duplicate ${4 + run}`,
      ]);
      await harness.store.close();
    }
  });
});

describe('invalid commands and names', () => {
  it('are refused without a record, and the exchange continues', async () => {
    const harness = openHarness({ file: file() });
    for (const command of OPENING) harness.apply(command);
    const before = harness.exchange.sequence;
    const good = place({ hash: 'good', clientOrderId: 'good' });
    const bad = [null, undefined, { ...good, hash: null }, { ...good, hash: {} }, { ...good, clientOrderId: null }];
    const events = bad.flatMap((command) => harness.apply(command as ExchangeCommand).events);
    await settled(harness);
    const refusals = ['type', 'type', 'order', 'order', 'clientOrderId'].map((field) => ({
      type: 'refused',
      refusal: { reason: 'INVALID_ORDER', field },
    }));
    expect(events).toMatchObject(refusals);
    expect(harness.exchange.sequence).toBe(before);
    harness.apply(good);
    await settled(harness);
    expect([harness.faults, harness.exchange.sequence]).toEqual([[], before + 1]);
    await harness.store.close();
  });
});

describe('the registry', () => {
  const numbers = {
    encode: (value: number) => value,
    decode: (json: unknown): number => {
      if (typeof json !== 'number') throw new InputFault('number', json, 'a number');
      return json;
    },
  };

  it('stores entries of a batch, of a sync or of the end, and removed entries stay removed', async () => {
    const name = file();
    let store = SqliteStore.open({ file: name });
    let table = new RegistryTable(store.registry, 'session', numbers);
    for (const [key, value] of [
      ['a', 1],
      ['b', 2],
      ['no \ud800 text', 3],
    ] as const)
      table.put(key, value);
    await new Promise((resolve) => store.registry.sync(resolve));
    expect(store.registry.find('session', 'b')).toBe(2);
    table.delete('b');
    table.delete('unknown');
    table.put('a', 10);
    expect([table.get('a'), table.get('b'), table.size]).toEqual([10, undefined, 2]);
    expect(store.registry.find('session', 'a')).toBe(1);
    await store.close();
    store = SqliteStore.open({ file: name });
    table = new RegistryTable(store.registry, 'session', numbers);
    // Sorted by key. Invalid Unicode is stored after a prefix that sorts first.
    const entries = [
      ['no \ud800 text', 3],
      ['a', 10],
    ];
    expect([...table.entries()]).toEqual(entries);
    expect(store.registry.load('wallet')).toEqual([]);
    await store.close();
    expect(await new Promise((resolve) => store.registry.sync(resolve))).toMatchObject({ code: 'JOURNAL_CLOSED' });
  });
});

describe('the store of a venue', () => {
  it('provides the rows of a batch when they are durable and before its events are published', async () => {
    const harness = openHarness({ file: file() });
    for (const command of OPENING) harness.apply(command);
    let lastSeq = -1;
    await new Promise<void>((resolve) => {
      harness.exchange.commit(() => {
        lastSeq = harness.batches.at(-1)?.seq ?? 0;
        resolve();
      });
    });
    expect(lastSeq).toBe(harness.machine.view.seq);
    const kinds = new Set<string>();
    for (const rows of harness.batches) for (const row = new RowCursor(rows); row.next(); ) kinds.add(row.kind);
    expect([...kinds].toSorted()).toEqual(['account', 'bucket', 'entry', 'holding', 'market', 'point']);
    await harness.store.close();
  });

  it('has the same order events and fills in these rows as in the archive', async () => {
    // Several seeds, as one in a hundred halts all trading with its first commands.
    const sequences = fc.sample(fc.noBias(fc.array(move, { minLength: 200, maxLength: 200 })), 6);
    let received = 0;
    for (const sequence of sequences) {
      const harness = openHarness({ file: ':memory:' });
      for (const command of runSequence(sequence, new EngineBody())) harness.apply(command);
      const { archive } = harness.store;
      const events = harness.batches.flatMap(orderEventsIn);
      const fills = harness.batches.flatMap(fillsIn);
      received += events.length;
      for (const number of [1, 2, 3, 4]) {
        expect(events.filter((event) => event.account === number)).toEqual(archive.orderEvents(number, 0).events);
        const all = archive.fills(number, {}, 'oldest', { maxRows: 999, direction: 'forward', from: undefined }).rows;
        expect(fills.filter((fill) => fill.account === number)).toEqual(all);
      }
      await harness.store.close();
    }
    expect(received).toBeGreaterThan(100);
  });

  it('has the names of transfers from their sender', async () => {
    const names = new Map<unknown, TransferKind>();
    const harness = openHarness({
      file: ':memory:',
      classifyTransfer: (transfer) => names.get(transfer) ?? 'ADJUSTMENT',
    });
    for (const command of OPENING) harness.apply(command);
    const back = { type: 'transfer', time, account, amount: unchecked.usd(5) } as const;
    names.set(back, 'REFUND');
    harness.apply(back);
    const { rows } = harness.store.archive.ledger(1, {}, { maxRows: 9, direction: 'forward', from: undefined });
    expect(rows.map(({ kind }) => kind)).toEqual(['REFUND', 'SPLIT', 'SPLIT', 'ADJUSTMENT']);
    await harness.store.close();
  });

  it('removes events older than a day except the newest 10,000, and reports the removal', async () => {
    const name = file();
    const harness = openHarness({ file: name });
    for (const command of OPENING) harness.apply(command);
    const date = unchecked.time(time + 10 * 86_400_000);
    const move = { type: 'moveDate', time, market: unchecked.market(0), note: '', by: 'operator' } as const;
    harness.apply({ ...move, resolutionDate: date });
    const send = (count: number, at: number) => {
      for (let left = count; left > 0; left -= 1) {
        harness.apply(place({ at: unchecked.time(at) }));
        const order = unchecked.order(harness.recovery.machine.view.orderCount);
        harness.apply({ type: 'cancel', time: unchecked.time(at), account, credential, orders: [order] });
      }
    };
    send(700, time);
    await settled(harness);
    const prune = (now: number) => new Promise((resolve) => harness.store.pruneEvents(unchecked.time(now), resolve));
    const { archive } = harness.store;
    const day = 86_400_000;
    await prune(time + 2 * day);
    // They are old, but among the newest.
    expect(archive.orderEvents(1, 0).events).toHaveLength(1400);
    send(5_000, time + day);
    await settled(harness);
    await prune(time + day);
    expect(archive.orderEvents(1, 0, undefined, 20_000).events).toHaveLength(11_400);
    await prune(time + 2 * day - 1);
    expect(archive.orderEvents(1, 0, undefined, 20_000)).toEqual({ events: [], isComplete: false });
    const { events, isComplete } = archive.orderEvents(1, archive.order(701)?.seq ?? 0, undefined, 20_000);
    expect([events.length, isComplete]).toEqual([9_998, true]);
    await harness.store.close();
  });

  it('can be read by other processes during use', async () => {
    const name = file();
    const harness = openHarness({ file: name });
    for (const command of OPENING) harness.apply(command);
    await settled(harness);
    const reader = new Database(name, { readonly: true });
    expect(reader.prepare('SELECT count(*) FROM accounts').pluck().get()).toBe(4);
    reader.close();
    await harness.store.close();
  });
});
