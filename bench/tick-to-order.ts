/**
 * Measures the time from the bytes of a book frame to the bytes of the signed order that responds to the frame. The
 * frame passes all parts of a live bot. The bot is compared with the same bot with viem's signing, and with a minimal
 * bot. The embedded venue and the mover of its books are child processes.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { secp256k1 } from '@noble/curves/secp256k1';
import { hashTypedData, serializeSignature, type Hex as ViemHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { compileEarly } from '../src/app/v8-flags.ts';
import { exchangeDomain, LOCAL_CONTRACT, type OrderMessage, type SignedMessage } from '../src/signing/index.ts';
import { LOCAL_CHAIN_ID } from '../src/signing/messages.ts';
import { keyOf, openSigningTools, type SigningTools } from '../test/server/trader.ts';
import { type Bench, collectGarbage, quantile, row, summarise } from './harness.ts';
import { BareBot } from './workload/bare-bot.ts';
import type { MoveRequest } from './workload/book-mover.ts';
import { Child } from './workload/child.ts';
import { bindOwnCore } from './workload/own-core.ts';
import { sampleOrder } from './workload/signing-run.ts';
import { TickBot } from './workload/tick-bot.ts';
import { MARK, type Tick, TickClock } from './workload/tick-clock.ts';
import { VenueProcess } from './workload/venue-process.ts';

const ROUNDS = 7;
const WARM_UP = 1;
const WARM_UP_MOVES = 500;
const MOVES = 200;
const VIEM_MOVES = 60;
const FOLDER = join(import.meta.dirname, 'out', 'tick-to-order');
const ACCOUNTS = { bot: 11, both: 12, viem: 13, floor: 14 } as const;
type Owner = keyof typeof ACCOUNTS;
const OWNERS: readonly Owner[] = ['bot', 'viem', 'floor', 'both'];

/** A turn of one of the compared bots. */
interface Turn {
  readonly owner: Owner;
  /** Argument of `TickBot.use`. */
  readonly mode: 'on' | 'seldom';
  readonly moves: number;
  readonly pauseMs: number;
  /** Minimum share of the moves that lead to an order at once. */
  readonly minShare: number;
}

const DEFAULT_TURN = { mode: 'on', moves: MOVES, pauseMs: 4, minShare: 0.2 } as const;
const NAMES = ['bot', 'viem', 'floor', 'seldom', 'both'] as const;
type Name = (typeof NAMES)[number];
const TURNS: Readonly<Record<Name, Turn>> = {
  bot: { owner: 'bot', ...DEFAULT_TURN },
  viem: { owner: 'viem', ...DEFAULT_TURN, moves: VIEM_MOVES, pauseMs: 12 },
  floor: { owner: 'floor', ...DEFAULT_TURN },
  seldom: { owner: 'bot', ...DEFAULT_TURN, mode: 'seldom' },
  both: { owner: 'both', ...DEFAULT_TURN },
};

const STAGES = [
  ['socket and parsing', MARK.parsed],
  ['book: levels, checksum, rows', MARK.rowsReady],
  ['core: state, strategy, risk, execution', MARK.decided],
  ['journal: the step is queued', MARK.stored],
  ['signing, including checks', MARK.signed],
  ['step and signed order in the log', MARK.logged],
  ['text and frame of the request', MARK.framed],
  ['written to the socket', MARK.written],
] as const;

/** Signs with the steps of viem's `signTypedData`, but synchronously, without its promise. */
function viemOrders(orders: SignedMessage<OrderMessage>, secret: ViemHex): SignedMessage<OrderMessage> {
  const domain = exchangeDomain(LOCAL_CHAIN_ID, LOCAL_CONTRACT);
  return {
    ...orders,
    sign(message) {
      const hash = hashTypedData({ ...orders.typedData(message), domain });
      const { r, s, recovery } = secp256k1.sign(hash.slice(2), secret.slice(2), { lowS: true });
      const hex = (number: bigint): ViemHex => `0x${number.toString(16).padStart(64, '0')}`;
      const signature = serializeSignature({ r: hex(r), s: hex(s), v: recovery ? 28n : 27n, yParity: recovery });
      return { hash, signature };
    },
  };
}

/** @throws Error unless our signing, viem's steps and viem's own function give the same bytes */
async function assertSameBytes(tools: SigningTools, viem: SignedMessage<OrderMessage>, secret: ViemHex) {
  const { order: orders } = tools.messages;
  const key = keyOf(tools, ACCOUNTS.viem);
  const message = sampleOrder(key);
  const domain = exchangeDomain(LOCAL_CHAIN_ID, LOCAL_CONTRACT);
  const typed = { ...orders.typedData(message), domain };
  const theirs = await privateKeyToAccount(secret).signTypedData(typed);
  const signatures = [orders.sign(message, key), viem.sign(message, key)].map(({ signature }) => signature);
  if (signatures.some((each) => each !== theirs)) throw new Error('Invariant: viem and ours differ');
}

const bench: Bench = async () => {
  // As in `halfspread run`. The flags apply to the whole process, so to all bots.
  compileEarly();
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const tools = await openSigningTools();
  const venue = await VenueProcess.open();
  const ids = await venue.openMarkets(OWNERS.length);
  const findMarket = (owner: Owner): string => ids[OWNERS.indexOf(owner)] ?? '';
  const clock = new TickClock();
  const mover = await Child.open('book-mover.ts', [venue.url]);
  const move = (request: MoveRequest) => mover.request(request);
  const isAlone = bindOwnCore([venue.pid, mover.pid]);
  for (const owner of OWNERS) await move({ market: findMarket(owner), moves: 0, pauseMs: 0 });
  const secret: ViemHex = `0x${ACCOUNTS.viem.toString(16).padStart(64, '7')}`;
  const viem = viemOrders(tools.messages.order, secret);
  await assertSameBytes(tools, viem, secret);
  const createOptions = (name: Owner) => ({
    url: venue.url,
    market: findMarket(name),
    tools,
    account: ACCOUNTS[name],
    folder: FOLDER,
    clock,
    sides: name === 'both' ? (2 as const) : (1 as const),
  });
  const tickBots = {
    bot: await TickBot.start(createOptions('bot')),
    both: await TickBot.start(createOptions('both')),
    viem: await TickBot.start({ ...createOptions('viem'), orders: viem }),
  };
  const floor = await BareBot.start(createOptions('floor'));

  const rounds: Record<Name, Tick[][]> = { bot: [], both: [], viem: [], floor: [], seldom: [] };
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const name of round % 2 === 0 ? NAMES : NAMES.toReversed()) {
      collectGarbage();
      const turn = TURNS[name];
      const { owner, minShare } = turn;
      for (const [each, bot] of Object.entries(tickBots)) bot.use(each === owner ? turn.mode : 'off');
      const moves = round < 0 ? WARM_UP_MOVES : turn.moves;
      clock.start();
      await move({ market: findMarket(owner), moves, pauseMs: round < 0 ? 1 : turn.pauseMs });
      const ticks = clock.stop();
      if (round >= 0 && ticks.length < moves * minShare)
        throw new Error(`${name}: ${ticks.length} orders after ${moves} moves`);
      if (round >= 0) rounds[name].push([...ticks]);
    }
  }
  clock.close();
  await mover.close();
  for (const bot of Object.values(tickBots)) await bot.close();
  await floor.close();
  await venue.close();
  rmSync(FOLDER, { recursive: true });

  const summariseQuantile = (name: Name, part: number, micros: (tick: Tick) => number) =>
    summarise(rounds[name].map((ticks) => quantile(ticks.map(micros), part)));
  const wall = ({ wall: micros }: Tick): number => micros;
  const all = (name: Name): readonly Tick[] => rounds[name].flat();
  const p50 = summariseQuantile('bot', 0.5, wall);
  const [viemP50, floorP50] = [summariseQuantile('viem', 0.5, wall), summariseQuantile('floor', 0.5, wall)];
  const seldomP50 = summariseQuantile('seldom', 0.5, wall);
  const p99 = quantile(all('bot').map(wall), 0.99);
  const stages = STAGES.map(([label, mark]) => row(`  ${label}`, stageMedian(rounds.bot, mark), 'us'));
  return {
    results: [
      row('frame to order, p50', p50, 'us'),
      row('  p99 of each round', summariseQuantile('bot', 0.99, wall), 'us'),
      { label: '  p99 of all', value: p99, unit: 'us' },
      ...stages,
      row('two orders (both sides), p50', summariseQuantile('both', 0.5, wall), 'us'),
      row('  p99', summariseQuantile('both', 0.99, wall), 'us'),
      row("with viem's signing, p50", viemP50, 'us'),
      row('minimal bot (parse, sign, write), p50', floorP50, 'us'),
      row('  p99 of each round', summariseQuantile('floor', 0.99, wall), 'us'),
      row('  socket and parsing', stageMedian(rounds.floor, MARK.parsed), 'us'),
      row('  signing', stageMedian(rounds.floor, MARK.signed), 'us'),
      row('  text and frame', stageMedian(rounds.floor, MARK.framed), 'us'),
      row('  written', stageMedian(rounds.floor, MARK.written), 'us'),
      row('with warmup_ms: 100, p50', seldomP50, 'us'),
      row('  p99 of each round', summariseQuantile('seldom', 0.99, wall), 'us'),
      ...STAGES.map(([label, mark]) => row(`  ${label}`, stageMedian(rounds.seldom, mark), 'us')),
    ],
    ratios: {
      vsViem: viemP50.median / p50.median,
      vsFloor: p50.median / floorP50.median,
      seldomVsFloor: seldomP50.median / floorP50.median,
    },
    values: {
      p50Us: p50.median,
      p99Us: p99,
      floorP50Us: floorP50.median,
      p99OfRoundsUs: summariseQuantile('bot', 0.99, wall).median,
      floorP99OfRoundsUs: summariseQuantile('floor', 0.99, wall).median,
      viemP50Us: viemP50.median,
      seldomP50Us: seldomP50.median,
      seldomP99OfRoundsUs: summariseQuantile('seldom', 0.99, wall).median,
      ticks: all('bot').length,
    },
    notes: [
      `${all('bot').length} frames in ${ROUNDS} rounds; the bots take turns; a requote is one replaceOrders with one or two orders`,
      'wall time, from the bytes of the frame as the socket delivers them to the return of the system call that wrote the order',
      isAlone
        ? 'the measured thread has its own core; the venue and the mover of books share the rest'
        : 'venue, mover and bot share all cores, so the time of a write can include the process that it wakes',
      'the bot uses the default warm-up (warmup_ms: 2) unless the label says otherwise; the minimal bot has none',
      'stages are separate medians, so their sum can differ from the whole',
    ],
  };
};
export default bench;

/** Returns the median time of a stage, µs. */
function stageMedian(rounds: readonly (readonly Tick[])[], mark: number) {
  const micros = ({ stages }: Tick): number => stages[mark] ?? 0;
  return summarise(rounds.map((ticks) => quantile(ticks.map(micros), 0.5)));
}
