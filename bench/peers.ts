/**
 * Measures the replay loop, compared with hftbacktest's (Rust and numba) on the same rows, strategy, latencies and
 * queue model. Each run is a process, and runs alternate. Both programs are installed as by users: the bench builds our
 * package and creates a Python environment from PyPI. Without Python 3.11, the bench is skipped.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Bench, elapsedMs, row, sideBySide, summarise } from './harness.ts';
import { writeEventFile } from './peers/event-file.ts';
import { syntheticTape } from './workload/synthetic-tape.ts';

const ROUNDS = 5;
const EVENTS = 10_000_000;
const FEED_MS = 50;
const PEER = 'hftbacktest==2.4.4';
const FOLDER = resolve(import.meta.dirname, 'out', 'peers');
const ROOT = resolve(import.meta.dirname, '..');
const PROGRAM = join(ROOT, 'package', 'bin', 'halfspread.js');
const PYTHON = join(FOLDER, 'python', 'bin', 'python');
const TAPE = join(FOLDER, `synthetic-${EVENTS}.tape`);
const EVENT_FILE = join(FOLDER, `synthetic-${EVENTS}.npy`);
const PEER_FILLS = join(FOLDER, 'fills.bin');
const BPS_PER_TICK = 10;

interface PeerRun {
  readonly rowsPerSecond: number;
  readonly wallMs: number;
  /** Processor time of all threads, user and system. */
  readonly processorMs: number;
  readonly peakRssMb: number;
  readonly fills: number;
}

const bench: Bench = async () => {
  mkdirSync(FOLDER, { recursive: true });
  if (!hasPeer()) return { results: [], ratios: {}, values: {}, notes: ['skipped: there is no python3.11 with venv'] };
  execFileSync(process.execPath, [join(ROOT, 'packaging', 'build.ts')], { stdio: 'inherit' });
  syntheticTape(TAPE, { events: EVENTS });
  if (!existsSync(EVENT_FILE)) writeEventFile(TAPE, EVENT_FILE, FEED_MS);
  const runs = { ours: [] as PeerRun[], theirs: [] as PeerRun[] };
  const measured = (list: PeerRun[], run: () => PeerRun) => () => {
    const ran = run();
    list.push(ran);
    return ran.rowsPerSecond;
  };
  const sides = { ours: measured(runs.ours, () => ours()), theirs: measured(runs.theirs, theirs) };
  const { ours: loop, theirs: peerLoop } = await sideBySide(ROUNDS, sides, { warmUp: 0 });
  const summariseRuns = (key: 'wallMs' | 'processorMs', list: readonly PeerRun[]) =>
    summarise(list.map((ran) => ran[key]));
  const [wall, peerWall] = [summariseRuns('wallMs', runs.ours), summariseRuns('wallMs', runs.theirs)];
  const [mine, peer] = [runs.ours[0], runs.theirs[0]];
  if (mine === undefined || peer === undefined) throw new Error('Invariant: a run is missing');
  const tables = join(FOLDER, 'tables');
  ours('--tables', tables);
  const [ourFills, theirFills] = [readOurFills(join(tables, 'fills.csv')), readPeerFills()];
  const agreement = theirFills.filter((fill) => ourFills.has(fill)).length / theirFills.length;
  return {
    results: [
      row('halfspread, loop', loop, 'rows/s'),
      row(`${PEER}, loop`, peerLoop, 'rows/s'),
      row('halfspread, whole process', wall, 'ms'),
      row(`${PEER}, whole process`, peerWall, 'ms'),
      row('halfspread, processor time of the whole process', summariseRuns('processorMs', runs.ours), 'ms'),
      row(`${PEER}, processor time of the whole process`, summariseRuns('processorMs', runs.theirs), 'ms'),
      { label: 'halfspread, peak memory', value: mine.peakRssMb, unit: 'MB' },
      { label: `${PEER}, peak memory`, value: peer.peakRssMb, unit: 'MB' },
      { label: 'halfspread, fills', value: mine.fills, unit: '' },
      { label: `${PEER}, fills`, value: peer.fills, unit: '' },
    ],
    ratios: {
      loopVsHftbacktest: loop.median / peerLoop.median,
      endToEndVsHftbacktest: peerWall.median / wall.median,
    },
    values: { fillAgreement: agreement },
    notes: [
      `${EVENTS / 1e6}M rows of one market; both quotes move at every 20th message; risk-averse queue; constant latencies`,
      `${(agreement * 100).toFixed(1)} % of hftbacktest's fills are also ours: same millisecond, side and price`,
      'a loop includes reading the file; a whole process also includes its start, and numba its compilation',
    ],
  };
};
export default bench;

/** Returns whether the peer can run. Creates the Python environment at the first run. */
function hasPeer(): boolean {
  try {
    execFileSync('python3.11', ['--version'], { stdio: 'ignore' });
  } catch {
    return false;
  }
  if (!existsSync(PYTHON)) execFileSync('python3.11', ['-m', 'venv', join(FOLDER, 'python')]);
  execFileSync(PYTHON, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PEER], { stdio: 'inherit' });
  return true;
}

function ours(...options: readonly string[]): PeerRun {
  const config = join(FOLDER, 'requoter.yaml');
  writeFileSync(config, CONFIGURATION);
  const words = [PROGRAM, 'backtest', config, '--json', '--quiet', ...options];
  const { wallMs, processorMs, output } = run(process.execPath, words);
  const { eventsPerSecond, peakRssMb, fills } = JSON.parse(output);
  return { rowsPerSecond: eventsPerSecond, wallMs, processorMs, peakRssMb, fills: fills.count };
}

function theirs(): PeerRun {
  const script = join(import.meta.dirname, 'peers', 'requoter.py');
  const { wallMs, processorMs, output } = run(PYTHON, [script, EVENT_FILE, PEER_FILLS]);
  const { seconds, peakRssMb, fills } = JSON.parse(output);
  return { rowsPerSecond: EVENTS / seconds, wallMs, processorMs, peakRssMb, fills };
}

/** Runs a program. The last line of the shell's `times` (`0m3.140s 0m0.250s`) is the children's processor time. */
function run(program: string, words: readonly string[]) {
  let text = '';
  const wallMs = elapsedMs(() => {
    const shell = ['-c', '"$@" && times', 'sh', program, ...words];
    text = execFileSync('sh', shell, { encoding: 'utf8', maxBuffer: 1 << 26 });
  });
  const lines = text.trimEnd().split('\n');
  const times = (lines.pop() ?? '').split(' ').map((time) => {
    const [minutes = '', seconds = ''] = time.split('m');
    return Number(minutes) * 60_000 + Number.parseFloat(seconds) * 1_000;
  });
  lines.pop();
  return { wallMs, processorMs: times.reduce((sum, ms) => sum + ms, 0), output: lines.join('\n') };
}

function readOurFills(path: string): ReadonlySet<string> {
  const [, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  return new Set(
    lines.map((line) => {
      const [time = '', , , side = '', price = ''] = line.split(',');
      return `${Date.parse(time)} ${side} ${price}`;
    }),
  );
}

/** Reads the fills that peers/requoter.py writes. */
function readPeerFills(): string[] {
  const bytes = readFileSync(PEER_FILLS);
  const fills: string[] = [];
  for (let at = 0; at < bytes.length; at += 24) {
    const ms = bytes.readBigInt64LE(at) / 1_000_000n;
    const side = bytes.readBigInt64LE(at + 8) > 0n ? 'BUY' : 'SELL';
    fills.push(`${ms} ${side} ${Number(bytes.readBigInt64LE(at + 16)) * BPS_PER_TICK}`);
  }
  return fills;
}

const CONFIGURATION = `strategy: ${resolve(import.meta.dirname, 'strategies', 'requoter')}
tapes: [${JSON.stringify(TAPE)}]
queue: { model: risk-averse }
latency: { model: constant, feed_ms: ${FEED_MS}, entry_ms: 80, response_ms: 40 }
capital_usd: 1000000
risk:
  max_position: 1000000
  max_notional_usd: none
  max_total_notional_usd: none
  daily_loss_usd: none
  max_drawdown_usd: none
report_dir: null
`;
