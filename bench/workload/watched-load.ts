/**
 * Measures the cost of three clients for a bot under load. Three cases alternate: the clients watch the bot, they read
 * the same reports from another process, or there are no clients.
 *
 * The bot's thread has its own core, and all other processes share the rest. With two cores, the clients delay the
 * feeder and the venue, which are other machines in production. Therefore the feeder sends no bursts, and one case has
 * clients that are equally busy. Turns are short and are compared within their round, so that other work on the machine
 * affects both. Garbage is collected before each turn, because a collection takes 20 ms or more.
 */
import process from 'node:process';
import { type BenchRow, collectGarbage, quantile, row, type Sample, summarise } from '../harness.ts';
import { Child } from './child.ts';
import type { LiveHarness } from './live-harness.ts';
import { bindOwnCore } from './own-core.ts';
import type { WatchReply, WatchRequest } from './watching-child.ts';

const LOAD = { perSecond: 5_000, seconds: 2, moving: 0.1, atOnce: 10 };
const CASES = ['watched', 'elsewhere', 'none'] as const;
/** Age in ms from which a frame counts as slow when its order is written. */
const SLOW_MS = 4;

type Case = (typeof CASES)[number];

/** Ages in ms, and processor use. */
interface Turn {
  /** Age of each frame when it is read. */
  readonly ages: readonly number[];
  /** Age of each frame that led to an order, when the signed order was written. */
  readonly orderAges: readonly number[];
  /** Processor use of the bot's process; 1 is a whole processor. */
  readonly cpu: number;
}

export interface WatchedLoad {
  readonly rows: readonly BenchRow[];
  readonly ratios: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
}

export interface WatchedLoadOptions {
  readonly harness: LiveHarness;
  readonly venuePid: number | undefined;
  /** The bot's control socket. */
  readonly socket: string;
  /** Ids of three of the bot's markets. */
  readonly markets: readonly string[];
  /** Number of rounds. A round has one turn of each case. */
  readonly rounds: number;
}

export async function watchedLoad(options: WatchedLoadOptions): Promise<WatchedLoad> {
  const { harness, venuePid, socket, markets } = options;
  const child = await Child.open<WatchReply>('watching-child.ts', [socket, ...markets]);
  const isPinned = bindOwnCore([venuePid, harness.feederPid, child.pid]);
  await runTurn(harness);
  await during(child, 'keep', harness);
  await during(child, 'repeat', harness);
  const turns: Record<Case, Turn[]> = { watched: [], elsewhere: [], none: [] };
  let reports = 0;
  for (let count = 0; count < options.rounds; count += 1) {
    for (const each of count % 2 === 0 ? CASES : CASES.toReversed()) {
      if (each === 'none') turns.none.push(await runTurn(harness));
      else {
        const done = await during(child, each === 'watched' ? 'watch' : 'repeat', harness);
        turns[each].push(done.turn);
        if (each === 'watched') reports += done.reports;
      }
    }
  }
  await child.close();
  return {
    ...figures(turns),
    notes: [
      `${reports} reports went to three clients in ${options.rounds * LOAD.seconds} s of load`,
      ...CASES.map((each) => `${NAMES[each]}: ${slowText(turns[each])}`),
      isPinned
        ? "the bot's thread has its own core; all other processes share the rest"
        : 'all processes share all cores',
    ],
  };
}

const NAMES: Readonly<Record<Case, string>> = {
  watched: 'watched',
  elsewhere: 'clients elsewhere',
  none: 'no clients',
};

function figures(turns: Readonly<Record<Case, readonly Turn[]>>): Pick<WatchedLoad, 'rows' | 'ratios'> {
  const samples = { orderP99, readP99, readMean, cpu: ({ cpu }: Turn) => cpu };
  const summariseCase = (each: Case, figure: keyof typeof samples): Sample =>
    summarise(turns[each].map(samples[figure]));
  const rows = (label: string, figure: keyof typeof samples, unit: string): BenchRow[] =>
    CASES.map((each) => row(`${label}, ${NAMES[each]}`, summariseCase(each, figure), unit));
  const allOrderAges = (each: Case) => turns[each].flatMap(({ orderAges }) => orderAges);
  /** Over all turns, because a single turn has only about ten orders above its p99, from one or two waits. */
  const pooled = (each: Case, part = 0.99): number => quantile(allOrderAges(each), part);
  const rounds = (figure: keyof typeof samples, other: Case): Sample =>
    summarise(turns.watched.map((turn, at) => samples[figure](turn) / samples[figure](turns[other][at] ?? turn)));
  return {
    rows: [
      ...[0.5, 0.99, 0.999].flatMap((part) =>
        CASES.map((each) => {
          const label = `frame to written order, p${100 * part} of all turns, ${NAMES[each]}`;
          return { label, value: pooled(each, part), unit: 'ms' };
        }),
      ),
      ...rows('frame to written order, p99 of each turn', 'orderP99', 'ms'),
      row(`the same, watched relative to ${NAMES.elsewhere}, of each round`, rounds('orderP99', 'elsewhere'), 'times'),
      row(`the same, watched relative to ${NAMES.none}, of each round`, rounds('orderP99', 'none'), 'times'),
      ...rows('frame to bot, p99', 'readP99', 'ms'),
      ...rows('frame to bot, mean', 'readMean', 'ms'),
      ...rows('processor of the bot', 'cpu', ''),
    ],
    ratios: {
      watchedVsAloneAllOrdersP99: pooled('watched') / pooled('none'),
      watchedVsBesideAllOrdersP99: pooled('watched') / pooled('elsewhere'),
      watchedVsBesideOrderP99: rounds('orderP99', 'elsewhere').median,
      watchedVsBesideP99: rounds('readP99', 'elsewhere').median,
      watchedVsBesideMean: rounds('readMean', 'elsewhere').median,
      watchedVsAloneOrderP99: rounds('orderP99', 'none').median,
      watchedVsAloneP99: rounds('readP99', 'none').median,
      watchedVsAloneMean: rounds('readMean', 'none').median,
      watchedVsAloneCpu: rounds('cpu', 'none').median,
    },
  };
}

function orderP99({ orderAges }: Turn): number {
  return quantile(orderAges, 0.99);
}

function readP99({ ages }: Turn): number {
  return quantile(ages, 0.99);
}

function readMean({ ages }: Turn): number {
  return ages.reduce((sum, age) => sum + age, 0) / ages.length;
}

function slowText(turns: readonly Turn[]): string {
  const all = turns.flatMap(({ orderAges }) => orderAges);
  return `${all.filter((age) => age > SLOW_MS).length} of ${all.length} orders left more than ${SLOW_MS} ms after their frame`;
}

async function runTurn(harness: LiveHarness): Promise<Turn> {
  collectGarbage();
  harness.ages.length = 0;
  harness.orderAges.length = 0;
  const before = process.cpuUsage();
  await harness.feed(LOAD);
  const { user, system } = process.cpuUsage(before);
  return { ages: [...harness.ages], orderAges: [...harness.orderAges], cpu: (user + system) / 1e6 / LOAD.seconds };
}

async function during(child: Child<WatchReply>, request: WatchRequest, harness: LiveHarness) {
  await sendRequest(child, request);
  const turn = await runTurn(harness);
  return { turn, reports: await sendRequest(child, 'leave') };
}

/** @returns the number of reports since the last request */
async function sendRequest(child: Child<WatchReply>, request: WatchRequest): Promise<number> {
  const { reports, problem } = await child.request(request);
  if (problem !== undefined) throw new Error(problem);
  return reports;
}
