/** The recorder of Polymarket's streams, at the embedded venue and at a fake server. */
import { once } from 'node:events';
import { appendFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Side } from '@polymarket/clob-client-v2';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { importPolymarket, TapeFile } from '../../src/history/index.ts';
import { KIND, makeBlock } from '../../src/tape/index.ts';
import { ended, halfspread, newFolder, start } from '../cli/halfspread.ts';
import { endAll, startAndWait, until } from '../cli/trading.ts';
import { openPolymarket } from '../server/polymarket/harness.ts';
import { NO_SMALL_DISK, SmallDisk } from '../small-disk.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 30_000 });

const MARKET = `0x${'ab'.repeat(32)}`;
const [YES, NO] = ['1'.repeat(70), '2'.repeat(70)];
const closing: (() => unknown)[] = [];
afterEach(async () => {
  endAll();
  for (const close of closing.splice(0).reverse()) await close();
});

/** A fake of Gamma and the market channel. */
class Exchange {
  readonly sockets = new Set<WebSocket>();
  readonly subscriptions: unknown[] = [];
  readonly gamma: string;
  readonly ws: string;
  price = 51;
  /** Called at each listing, before the answer. */
  onPage = (): void => {};
  #page: unknown;

  private constructor(port: number, page: { answer: () => string }, server: WebSocketServer) {
    this.gamma = `http://127.0.0.1:${port}/gamma`;
    this.ws = `ws://127.0.0.1:${port}/ws`;
    this.#page = { markets: [gammaMarket(MARKET, 'rain', [YES, NO])] };
    page.answer = () => {
      this.onPage();
      return JSON.stringify(this.#page);
    };
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('message', (data) => {
        const text = String(data);
        if (text === 'PING') socket.send('PONG');
        else this.#subscribed(socket, JSON.parse(text));
      });
    });
  }

  static async open(): Promise<Exchange> {
    const page = { answer: () => '' };
    const http = createServer((_, answer) => answer.end(page.answer()));
    const sockets = new WebSocketServer({ server: http });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const { port } = http.address() as AddressInfo;
    closing.push(() => {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      http.close();
    });
    return new Exchange(port, page, sockets);
  }

  /** Replaces the markets that Gamma lists. */
  list(...markets: readonly unknown[]): void {
    this.#page = { markets };
  }

  send(event: unknown): void {
    for (const socket of this.sockets) socket.send(JSON.stringify(event));
  }

  get args(): readonly string[] {
    return ['record', 'polymarket', '--gamma-url', this.gamma, '--ws-url', this.ws];
  }

  #subscribed(socket: WebSocket, message: { assets_ids: readonly string[] }): void {
    this.subscriptions.push(message);
    socket.send(JSON.stringify(message.assets_ids.map((asset) => book(asset, this.price))));
  }
}

function gammaMarket(conditionId: string, slug: string, tokens: readonly string[]) {
  return { conditionId, slug, question: slug, clobTokenIds: JSON.stringify(tokens), outcomes: '["Yes","No"]' };
}

function book(asset_id: string, cents: number) {
  const price = (value: number): string => (value / 100).toFixed(2);
  const own = asset_id === YES ? cents : 100 - cents - 2;
  return {
    event_type: 'book',
    market: MARKET,
    asset_id,
    timestamp: `${Date.now()}`,
    hash: `${asset_id}${cents}`,
    bids: [{ price: price(own), size: '50' }],
    asks: [{ price: price(own + 2), size: '40.5' }],
  };
}

const filesIn = (folder: string): readonly string[] => globSync(join(folder, 'captures/*.{jsonl,jsonl.gz}')).toSorted();
const linesIn = (folder: string): readonly string[] =>
  filesIn(folder)
    .map((path) => (path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path)).toString('utf8'))
    .join('')
    .trim()
    .split('\n');

/** Imports the captures and returns the kinds of the tape's rows. */
async function kindsOf(folder: string): Promise<readonly number[]> {
  const made = await importPolymarket({
    files: [...filesIn(folder)],
    folder: join(folder, 'tapes'),
    name: 'all',
    markets: join(folder, 'captures/polymarket-markets.json'),
    force: true,
  });
  const [tape] = made.tapes;
  if (tape === undefined) throw new Error('no tape');
  const feed = TapeFile.open(tape.path).feed();
  const block = makeBlock(1_000);
  const kinds: number[] = [];
  while (feed.fill(block) > 0) for (let row = 0; row < block.count; row += 1) kinds.push(block.kind[row] ?? 0);
  feed.close();
  return kinds;
}

describe('halfspread record polymarket', () => {
  it('records books and trades of the embedded venue, which become a tape', async () => {
    const harness = await openPolymarket();
    closing.push(() => harness.venue.close());
    const folder = newFolder();
    const urls = ['--gamma-url', `${harness.url}/gamma`, '--ws-url', `${harness.url.replace('http', 'ws')}/ws`];
    const recorder = await startAndWait(['record', 'polymarket', '--json', ...urls], folder, /recording \d+ market/);
    await until(() => filesIn(folder).length > 0, 'the first books');
    const { client } = await harness.join(1);
    await client.createAndPostOrder({ tokenID: harness.yes, price: 0.6, size: 5, side: Side.BUY });
    const person = await harness.venue.openTrader(5);
    await person.place({ outcome: 'NO', priceBps: 4_000, size: 3 });
    await until(() => linesIn(folder).some((line) => line.includes('last_trade_price"')), 'a trade');
    recorder.child.kill('SIGTERM');
    const { code, stdout } = await recorder.end;
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { markets: expect.any(Number), frames: expect.any(Number), losses: 0 },
    ]);
    expect(filesIn(folder).every((path) => path.endsWith('.jsonl.gz'))).toBe(true);
    const kinds = await kindsOf(folder);
    expect([kinds.includes(KIND.level), kinds.includes(KIND.trade)]).toEqual([true, true]);
  });

  it('records a gap where a connection was lost, and continues with the next full book', async () => {
    const exchange = await Exchange.open();
    const folder = newFolder();
    const recorder = await startAndWait([...exchange.args, 'rain'], folder, /recording 1 market/);
    await until(() => exchange.sockets.size === 1 && filesIn(folder).length === 1, 'books');
    exchange.price = 60;
    for (const socket of exchange.sockets) socket.terminate();
    await until(() => exchange.subscriptions.length === 2, 'another connection');
    await until(() => linesIn(folder).length >= 3, 'the next books');
    recorder.child.kill('SIGINT');
    const { code, stdout } = await recorder.end;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^2 frames of 1 market, 1 connection lost\./)]);
    const events = linesIn(folder).map((line) => JSON.parse(line).message);
    expect(
      events.map((each) => each.event_type ?? each.map((event: { event_type: string }) => event.event_type)),
    ).toEqual([['book', 'book'], 'recording_gap', ['book', 'book'], 'recording_gap']);
    const kinds = await kindsOf(folder);
    expect(kinds.filter((kind) => kind === KIND.gap)).toHaveLength(2);
  });

  it('continues after a kill, drops an incomplete line and records a gap', async () => {
    const exchange = await Exchange.open();
    const folder = newFolder();
    const first = await startAndWait(exchange.args, folder, /recording 1 market/);
    await until(() => linesIn(folder).some((line) => line.includes('book')), 'books');
    first.child.kill('SIGKILL');
    await first.end;
    const [left = ''] = filesIn(folder);
    appendFileSync(left, '{"received_at":17');
    exchange.price = 70;
    const second = await startAndWait(exchange.args, folder, /recording 1 market/);
    await until(() => linesIn(folder).some((line) => line.includes('0.70')), 'books of the second');
    second.child.kill('SIGTERM');
    await second.end;
    expect(filesIn(folder)).toHaveLength(2);
    const gaps = linesIn(folder).filter((line) => line.includes('recording_gap'));
    expect(gaps).toHaveLength(2);
    expect((await kindsOf(folder)).filter((kind) => kind === KIND.gap)).toHaveLength(2);
  });

  it('records markets that are listed later', async () => {
    const exchange = await Exchange.open();
    const folder = newFolder();
    await startAndWait([...exchange.args, '--refresh-minutes', '0.01'], folder, /recording 1 market/);
    const other = `0x${'cd'.repeat(32)}`;
    exchange.list(gammaMarket(MARKET, 'rain', [YES, NO]), gammaMarket(other, 'snow', ['3'.repeat(70), '4'.repeat(70)]));
    await until(() => exchange.subscriptions.length === 2, 'a subscription');
    expect(exchange.subscriptions[1]).toMatchObject({
      operation: 'subscribe',
      assets_ids: ['3'.repeat(70), '4'.repeat(70)],
    });
    await until(() => readFileSync(join(folder, 'captures/polymarket-markets.json'), 'utf8').includes('snow'), 'kept');
  });

  it('rotates files by time, and compresses them', async () => {
    const exchange = await Exchange.open();
    const folder = newFolder();
    await startAndWait([...exchange.args, '--rotate-minutes', '0.02'], folder, /recording 1 market/);
    const tick = setInterval(() => exchange.send(book(YES, 51)), 100);
    closing.push(() => clearInterval(tick));
    await until(() => filesIn(folder).filter((path) => path.endsWith('.gz')).length >= 2, 'two files that have ended');
  });

  it.each([
    ['HTML', '<html>', /answered 200 without a list of markets/],
    ['an empty list', '{"markets":[]}', /expected the slug or the condition id of a market that .* lists, got "rain"/],
  ])('explains what is wrong when Gamma answers %s', async (_, body, words) => {
    const http = createServer((_request, answer) => answer.end(body)).listen(0, '127.0.0.1');
    await once(http, 'listening');
    closing.push(() => http.close());
    const gamma = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const { code, stderr } = await halfspread(['record', 'polymarket', 'rain', '--gamma-url', gamma], newFolder());
    expect([code === 0, stderr]).toEqual([false, expect.stringMatching(words)]);
  });

  it('refuses a folder in which another recorder runs', async () => {
    const exchange = await Exchange.open();
    const folder = newFolder();
    await startAndWait(exchange.args, folder, /recording 1 market/);
    const { code, stderr } = await halfspread(exchange.args, folder);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/Wait until it ends, or name another folder with --out/)]);
  });

  it('names the list of markets when it cannot be written', async () => {
    const exchange = await Exchange.open();
    const folder = newFolder();
    mkdirSync(join(folder, 'captures/polymarket-markets.json'), { recursive: true });
    const { code, stderr } = await halfspread(exchange.args, folder);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/polymarket-markets\.json: could not be written/)]);
  });

  it('reports the fault that ended it, not a later one of the gap that could not be stored', async () => {
    const exchange = await Exchange.open();
    const folder = newFolder();
    // The recorder makes its folder before the first listing.
    exchange.onPage = () => {
      rmSync(join(folder, 'captures'), { recursive: true });
      writeFileSync(join(folder, 'captures'), '');
    };
    const { code, stderr } = await halfspread(exchange.args, folder);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/polymarket-markets\.json: could not be written/)]);
  });

  it('ends on a full disk with a remedy', async ({ skip }) => {
    const disk = SmallDisk.mount(1) ?? skip(NO_SMALL_DISK);
    closing.push(() => disk.unmount());
    const exchange = await Exchange.open();
    mkdirSync(join(disk.folder, 'captures'));
    writeFileSync(join(disk.folder, 'captures/note'), '');
    const end = ended(start([...exchange.args, '--out', join(disk.folder, 'captures')], newFolder()));
    const tick = setInterval(
      () => exchange.send({ event_type: 'noise', market: MARKET, text: 'x'.repeat(50_000) }),
      10,
    );
    closing.push(() => clearInterval(tick));
    const { code, stderr } = await end;
    expect([code, stderr]).toEqual([3, expect.stringMatching(/cannot be written .*ENOSPC.*Free disk space/s)]);
  });
});
