/**
 * Counts the files between an event and its response, on two paths: `npm run hops`. `npm run hops -- bot` measures the
 * bot only. Prints each file of a path with its functions, in the order of their first calls; `:62` is a function
 * without a name in line 62. `--all` also prints files that are not on a path.
 *
 * `bot`: from the frame of a book to the frame of the signed order. `venue`: from the body of a `placeOrder` to its
 * response. Both are the real programs over loopback. hops-probe.ts makes the recordings.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Recording } from './hops-probe.ts';
import { keyOf, login, openSigningTools, queryVenue, signOrder } from './server/trader.ts';

const BIN = join(import.meta.dirname, '../bin/halfspread.js');
const PROBE = join(import.meta.dirname, 'hops-probe.ts');
const SLUG = 'will-the-cup-final-go-to-penalties';
const MOVES = 6;
const [MOVE_BPS, MOVE_SHARES] = [40, 500_000_000];
const MAX_MOVES = 40;
/** Recordings to collect. Most orders of a bot follow an event of its own orders and do not count. */
const MIN_RECORDINGS = 2;
/** Delay of the venue's responses, so that a recording of the bot contains none. */
const LATENCY_MS = 400;

const folder = mkdtempSync(join(tmpdir(), 'halfspread-hops-'));
const children: ChildProcess[] = [];

interface Probe {
  readonly name: string;
  readonly start: string;
  readonly minBytes: number;
}

/** Starts a command and waits for a text in its output. @throws Error with its output when it ends before */
async function startProgram(args: readonly string[], text: RegExp, probe: Probe, env: NodeJS.ProcessEnv = {}) {
  const recording = {
    HOPS_START: probe.start,
    HOPS_MIN_BYTES: String(probe.minBytes),
    HOPS_OUT: join(folder, `${probe.name}.jsonl`),
  };
  const child = spawn(process.execPath, ['--import', PROBE, BIN, ...args], {
    cwd: folder,
    env: { ...process.env, ...recording, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  return new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
        const found = text.exec(output);
        if (found !== null) resolve(found[1] ?? '');
      });
    }
    child.once('exit', () => reject(new Error(`it ended before it printed ${text}:\n${output}`)));
  });
}

/** Returns the recording with the fewest files, because unrelated timers and reads add files to the others. */
function shortest(name: string, file: string): Recording {
  const [first] = recordings(name, file).toSorted(
    (a, b) => a.path.length - b.path.length || filesOf(a).length - filesOf(b).length,
  );
  if (first === undefined) throw new Error(`${name}: nothing was recorded. Is the machine too busy?`);
  return first;
}

/** Returns the recordings that entered the file and did not read an event of an own order. */
function recordings(name: string, file: string): readonly Recording[] {
  const path = join(folder, `${name}.jsonl`);
  if (!existsSync(path)) return [];
  const all: Recording[] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const has = (each: Recording, end: string): boolean => filesOf(each).some((entered) => entered.endsWith(end));
  return all.filter((each) => has(each, file) && !has(each, '/own-event.ts'));
}

function filesOf({ entered }: Recording): readonly string[] {
  return Object.keys(entered);
}

function print(title: string, { path, entered }: Recording): void {
  const others = Object.keys(entered).filter((file) => !path.includes(file));
  const line = (file: string): string => `${file}  ${(entered[file] ?? []).join(', ')}`;
  console.log(
    `\n${title}: ${path.length} path files, ${Object.keys(entered).length} files entered (:62 is an unnamed function in line 62)`,
  );
  for (const [index, file] of path.entries()) console.log(`${String(index + 1).padStart(4)} ${line(file)}`);
  if (process.argv.includes('--all')) for (const file of others) console.log(`     ${line(file)}`);
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}

try {
  writeFileSync(join(folder, 'chaos.yaml'), `seed: 1\nsocket: { latency_ms: ${LATENCY_MS} }\n`);
  const venueProbe: Probe = { name: 'venue', start: 'placeOrder.input:', minBytes: 1 };
  const serve = ['serve', '--port', '0', '--seed', '--db', 'venue.db', '--log', 'error', '--chaos', 'chaos.yaml'];
  const url = await startProgram(serve, /listening on (\S+)\n/, venueProbe);
  const tools = await openSigningTools();
  const trader = keyOf(tools, 999);
  const token = await login(url, tools, trader);
  const query = 'query ($s: String!) { market(slug: $s) { id bestBidBps acceptingOrders } }';
  let found = await queryVenue(url, token, query, { s: SLUG });
  while (!found.market.acceptingOrders || found.market.bestBidBps === null) {
    await pause(100);
    found = await queryVenue(url, token, query, { s: SLUG });
  }
  const text =
    'mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) { accepted order { id } rejection { reason } } }';
  let moves = 0;
  const moveBook = async (): Promise<void> => {
    moves += 1;
    // Moves the middle price up and down in turns, beyond the orders in between but not as far as the bot's own orders.
    const [outcome, sign] = moves % 2 === 1 ? (['YES', 1] as const) : (['NO', -1] as const);
    const yesPrice = found.market.bestBidBps + sign * MOVE_BPS;
    const priceBps = outcome === 'YES' ? yesPrice : 10_000 - yesPrice;
    const orderInput = { marketId: found.market.id, side: 'BUY' as const, outcome, priceBps };
    const order = { ...orderInput, shares: MOVE_SHARES, timestampMs: Date.now() };
    const { placeOrder } = await queryVenue(url, token, text, {
      i: signOrder(tools, trader, order, Date.now() * 1_000).input,
    });
    if (!placeOrder.accepted) throw new Error(`The venue refused: ${JSON.stringify(placeOrder.rejection)}`);
    await pause(2 * LATENCY_MS + 500);
  };
  // Runs before anything subscribes, because messages to subscribers are not part of the response.
  if (!process.argv.includes('bot')) {
    for (let move = 1; move <= MOVES; move += 1) {
      await moveBook();
      progress(`venue: move ${move} of ${MOVES}`);
    }
    print('venue, placeOrder to its response', shortest('venue', 'exchange.ts'));
  }

  const key = `0x${'5'.repeat(64)}`;
  const bot = [
    `venue: { url: "${url}" }`,
    'account: { key: { env: HOPS_KEY } }',
    `markets: { slugs: [${SLUG}] }`,
    'watchdog_ms: none',
    'warmup_ms: none',
    'strategy: ladder',
    'params: { bid_spread: 200, ask_spread: 200, order_amount: 5, order_levels: 1, order_refresh_time: 0.1, max_position: 100 }',
  ];
  writeFileSync(join(folder, 'bot.yaml'), `${bot.join('\n')}\n`);
  // The frame of an order has about 900 bytes; a pong or a poll of the limits has fewer than 600.
  const botProbe: Probe = { name: 'bot', start: '"orderBookUpdated":."kind":"(?!SNAPSHOT)', minBytes: 600 };
  const env = { HOPS_KEY: key, XDG_STATE_HOME: folder };
  await startProgram(['run', 'bot.yaml', '--db', 'bot.db', '--json'], /(trading \d+ market)/, botProbe, env);
  // The bot requotes after it has compared its account with the venue's, which takes longer on a busy machine.
  const signed = 'order-signer.ts';
  for (let move = 1; recordings('bot', signed).length < MIN_RECORDINGS && move <= MAX_MOVES; move += 1) {
    await moveBook();
    progress(
      `bot: move ${move} of at most ${MAX_MOVES}, ${recordings('bot', signed).length} of ${MIN_RECORDINGS} recordings`,
    );
  }
  print('bot, book frame to signed order', shortest('bot', signed));
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
