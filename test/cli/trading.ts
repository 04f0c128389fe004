/** Runs bots and a venue as processes, and reads an account from the venue without a bot. */

import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { run } from '../../src/cli/program.ts';
import { wallClock } from '../../src/clock/index.ts';
import { escapeControls } from '../../src/network/index.ts';
import { AccountClient, type BotStatus, logIn, requestBot, VenueHttp } from '../../src/ops/index.ts';
import {
  createSigner,
  exchangeDomain,
  LOCAL_CONTRACT,
  loadPrimitives,
  loginDomain,
  signedMessages,
} from '../../src/signing/index.ts';
import { LOCAL_CHAIN_ID } from '../../src/signing/messages.ts';
import { pinsOf } from '../server/trader.ts';
import { type Ended, ended, newFolder, ROOT, start } from './halfspread.ts';

const clock = wallClock();
const children = new Set<ChildProcess>();

/** Kills every process that is still running. */
export function endAll(): void {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
}

/** A process that has printed the expected text. */
export interface Ready {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly end: Promise<Ended>;
}

/** Starts a command and waits for a text in its output. @throws Error with its output when it ends before */
export async function startAndWait(
  args: readonly string[],
  cwd: string,
  text: RegExp,
  nodeArgs: readonly string[] = [],
): Promise<Ready> {
  const child = start(args, cwd, nodeArgs);
  children.add(child);
  let received = '';
  const end = ended(child);
  void end.finally(() => children.delete(child));
  await new Promise<void>((resolve, reject) => {
    const append = (chunk: string | Buffer): void => {
      received += String(chunk);
      if (text.test(received)) resolve();
    };
    child.stdout?.on('data', append);
    child.stderr?.on('data', append);
    child.once('close', () => reject(new Error(`the process ended before it printed ${text}: ${received}`)));
  });
  return { child, output: () => received, end };
}

export interface VenueProcess {
  readonly url: string;
  /** Suspends the process until `thaw`. Bytes that are sent to it wait in its sockets. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** Starts a venue with the example markets. */
export async function openVenue(more: readonly string[] = []): Promise<VenueProcess> {
  const folder = newFolder();
  const { child, output, end } = await startAndWait(
    ['serve', '--port', '0', '--seed', '--db', 'venue.db', '--log', 'error', ...more],
    folder,
    /listening on \S+\n/,
  );
  const url = /listening on (\S+)\n/.exec(output())?.[1] ?? '';
  return {
    url,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async close() {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await end;
    },
  };
}

/** Sets an environment variable of this process and of processes that are started later. */
export function setSecret(name: string, value: string): void {
  process.env[name] = value;
}

/** Creates a random private key. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

/** A bot with its key in the environment and its configuration in a new folder. */
export class TestBot {
  readonly folder: string;
  readonly key: string;
  readonly url: string;
  readonly socket: string;
  readonly #env: string;

  /** @param sections additional sections of the configuration */
  constructor(url: string, sections = '') {
    this.folder = newFolder();
    this.key = newKey();
    this.url = url;
    this.#env = `TEST_KEY_${this.key.slice(2, 10).toUpperCase()}`;
    setSecret(this.#env, this.key);
    setSecret('XDG_STATE_HOME', this.folder);
    this.socket = join(this.folder, 'bot.sock');
    this.configure(sections);
  }

  configure(sections: string): void {
    const text = [
      `venue: { url: "${this.url}" }`,
      `account: { key: { env: ${this.#env} } }`,
      'markets: { slugs: [will-the-cup-final-go-to-penalties, will-the-home-side-win-the-cup-final] }',
      // A warm-up takes seconds of a processor. test/cli/live.slow.test.ts runs with it.
      ...(/^warmup_ms:/m.test(sections) ? [] : ['warmup_ms: none']),
      ...(/^strateg(y|ies):/m.test(sections) ? [] : ['strategy: ladder', LADDER]),
      'log: { level: info }',
      sections,
    ];
    writeFileSync(join(this.folder, 'bot.yaml'), `${text.join('\n')}\n`);
  }

  /** Writes a strategy into the folder of the configuration. @param body body of `create` */
  strategy(name: string, body: string): void {
    mkdirSync(join(this.folder, 'strategies', name), { recursive: true });
    const text = [
      `import { defineStrategy, makerHandlers, sharesFloor, z } from 'halfspread';`,
      `const quotes = ({ book }) => [{ side: 'bid', price: (book.doubleMid() ?? 0) / 2 - 100, shares: sharesFloor(5) }];`,
      `export default defineStrategy({ name: '${name}', summary: 'A test.', params: z.strictObject({ on: z.string().default('all') }),`,
      `  timers: () => [{ name: 'often', everyMs: 100 }],`,
      `  create(params, context) { let calls = 0; const maker = makerHandlers(context, quotes); ${body} },`,
      '});',
    ];
    writeFileSync(join(this.folder, 'strategies', name, 'strategy.ts'), `${text.join('\n')}\n`);
  }

  /** Starts the bot and waits until it trades. */
  run(...more: readonly string[]): Promise<Ready> {
    return startAndWait(['run', 'bot.yaml', '--json', ...more], this.folder, /trading \d+ market/);
  }

  async status(): Promise<BotStatus> {
    const status: BotStatus = JSON.parse(JSON.stringify(await this.request('status')));
    return status;
  }

  async request(
    command: Parameters<typeof requestBot>[1]['command'],
    args: Readonly<Record<string, unknown>> = {},
  ): Promise<unknown> {
    return requestBot(this.socket, { command, args }, clock);
  }

  /** Opens a session for the account at the venue. */
  async client(): Promise<AccountClient> {
    const signer = createSigner(await loadPrimitives({ blinding: new Uint8Array(32).fill(7) }));
    const key = signer.key(this.key);
    const line = new VenueHttp({ url: this.url, clock });
    const messages = signedMessages(signer, {
      exchange: exchangeDomain(LOCAL_CHAIN_ID, LOCAL_CONTRACT),
      login: loginDomain(LOCAL_CHAIN_ID),
    });
    await logIn(line, { key }, pinsOf({ messages }, this.url));
    return new AccountClient(line);
  }
}

const LADDER =
  'params: { bid_spread: 60, ask_spread: 60, order_amount: 5, order_levels: 2, order_level_spread: 50, order_refresh_time: 1, max_position: 100 }';

/** Runs a command to its end in this process. @param columns width of the terminal. Default: no terminal */
export async function runInProcess(args: readonly string[], cwd: string = ROOT, columns?: number): Promise<Ended> {
  const text = { stdout: '', stderr: '' };
  const output = (name: keyof typeof text) => ({
    write: (more: string) => {
      text[name] += escapeControls(more);
    },
    writeColored: (more: string) => {
      text[name] += more;
    },
    isTty: columns !== undefined,
    columns: columns ?? 200,
    colors: false,
    stream: process.stderr,
  });
  const code = await run(args, { out: output('stdout'), err: output('stderr'), cwd });
  return { code, ...text };
}

/** Waits until a condition holds. @throws Error with the description after the timeout */
export async function until(
  condition: () => Promise<boolean> | boolean,
  description: string,
  timeoutMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`timeout: ${description}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
