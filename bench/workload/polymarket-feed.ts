/** Measures ages of Polymarket's public messages when they are read, and the cost of recording them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom, wallClock } from '../../src/clock/index.ts';
import { HttpClient } from '../../src/network/index.ts';
import { PolymarketDirectory, PolymarketMarketData } from '../../src/venues/polymarket/index.ts';
import { quantile } from '../harness.ts';
import type { FeedRequest } from './book-feeder.ts';
import { Child } from './child.ts';
import { SILENT } from './live-parts.ts';
import type { FeederReply } from './polymarket-feeder.ts';

const WARM_UP_S = 5;

function openFeeder(markets: number): Promise<Child<FeederReply>> {
  return Child.open('polymarket-feeder.ts', [String(markets)]);
}

export interface FeedLoad extends FeedRequest {
  readonly markets: number;
}

/** Measures ms from the time in a message to its rows, and processor µs per message. */
export async function feedAges({ markets: count, ...request }: FeedLoad) {
  const feeder = await openFeeder(count);
  const [clock, clobUrl] = [wallClock(), `http://127.0.0.1:${feeder.ready.port}`];
  const http = new HttpClient({ clock });
  const directory = new PolymarketDirectory({ http, log: SILENT, gammaUrl: `${clobUrl}/gamma`, clobUrl });
  const random = seededRandom(1);
  const wsUrl = `${clobUrl.replace('http', 'ws')}/ws`;
  const data = new PolymarketMarketData({ clock, random, log: SILENT, http, clobUrl, wsUrl, directory });
  const markets = await directory.select({ filter: { limit: count } });
  const ages: number[] = [];
  await data.start(markets, {
    // Rows of this program have no venue time.
    rows: ({ tx }) => void ((tx[0] ?? 0) > 0 && ages.push(Date.now() - (tx[0] ?? 0))),
    onLimitsChanged: () => undefined,
    onVenueChanged: () => undefined,
    onMarketFailed: (_market, fault) => {
      throw fault;
    },
    onFailed: (error) => {
      throw error;
    },
  });
  await feeder.request({ ...request, seconds: WARM_UP_S });
  await pause(100);
  ages.length = 0;
  const before = process.cpuUsage();
  await feeder.request(request);
  const total = request.perSecond * request.seconds;
  while (ages.length < total) await pause(1);
  const { user, system } = process.cpuUsage(before);
  const resyncs = data.bookStates().reduce((sum, age) => sum + age.resyncs, 0);
  data.close();
  http.close();
  await feeder.close();
  if (resyncs > 0) throw new Error(`${resyncs} books were inconsistent`);
  return {
    p50: quantile(ages, 0.5),
    p99: quantile(ages, 0.99),
    most: quantile(ages, 1),
    cpuMicros: (user + system) / total,
  };
}

/** Runs `halfspread record polymarket` as a process. @returns the share of a core that all its threads use */
export async function recordingShare({ markets, ...request }: FeedLoad): Promise<number> {
  const feeder = await openFeeder(markets);
  const url = `http://127.0.0.1:${feeder.ready.port}`;
  const folder = mkdtempSync(join(tmpdir(), 'record-'));
  const program = join(import.meta.dirname, '..', '..', 'bin', 'halfspread.js');
  const urls = ['--gamma-url', url, '--ws-url', url.replace('http', 'ws')];
  const args = [program, 'record', 'polymarket', '--top', String(markets), '--out', folder, '--json', ...urls];
  const recorder = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = text(recorder.stdout);
  await once(recorder.stderr, 'data');
  const { delivered: first } = await feeder.request({ ...request, seconds: WARM_UP_S });
  const before = processorSeconds(recorder.pid);
  const { delivered } = await feeder.request(request);
  const sent = first + delivered + markets;
  // Wait until buffered data of the sockets is read.
  await pause(2_000);
  const share = (processorSeconds(recorder.pid) - before) / request.seconds;
  recorder.kill('SIGINT');
  const { frames } = JSON.parse(await output);
  await feeder.close();
  rmSync(folder, { recursive: true });
  if (frames !== sent) throw new Error(`${frames} of ${sent} messages were recorded`);
  return share;
}

/** Returns user and system time of all threads. Linux counts 100 ticks per second. */
function processorSeconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
