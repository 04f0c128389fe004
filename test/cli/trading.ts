/** Bots and a venue as processes of their own, and the venue's word on an account, past any bot. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { run } from '../../src/cli/program.ts';
import { wallClock } from '../../src/clock/index.ts';
import { harmless } from '../../src/network/index.ts';
import { AccountClient, askBot, type BotStatus, signIn, VenueHttp } from '../../src/ops/index.ts';
import {
  createSigner,
  exchangeDomain,
  LOCAL_CHAIN_ID,
  LOCAL_CONTRACT,
  loginDomain,
  openPrimitives,
  signedMessages,
} from '../../src/signing/index.ts';
import { pinsOf } from '../server/trader.ts';
import { type Ended, ended, newFolder, ROOT, start } from './halfspread.ts';

const clock = wallClock();
const children = new Set<ChildProcess>();

/** Ends every process that a test left behind. */
export function endAll(): void {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
}

/** A process that has said that it is ready. */
export interface Ready {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly end: Promise<Ended>;
}

/** Starts a command and waits for a text on standard output or error. @throws Error with all it said when it ends before */
export async function ready(
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
    const hear = (chunk: string | Buffer): void => {
      received += String(chunk);
      if (text.test(received)) resolve();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('close', () => reject(new Error(`it ended before it said ${text}: ${received}`)));
  });
  return { child, said: () => received, end };
}

export interface VenueProcess {
  readonly url: string;
  /** It answers nothing, and keeps what is written to it, until `thaw`. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** A venue with the example markets. */
export async function openVenue(more: readonly string[] = []): Promise<VenueProcess> {
  const folder = newFolder();
  const { child, said, end } = await ready(
    ['serve', '--port', '0', '--seed', '--db', 'venue.db', '--log', 'error', ...more],
    folder,
    /listening on \S+\n/,
  );
  const url = /listening on (\S+)\n/.exec(said())?.[1] ?? '';
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

/** Puts something into the environment of the processes that are started from now on. */
export function setSecret(name: string, value: string): void {
  process.env[name] = value;
}

/** A private key that no other test uses. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

/** Who trades in a test: its key is in the environment, its configuration in a folder of its own. */
export class TestBot {
  readonly folder: string;
  readonly key: string;
  readonly url: string;
  readonly socket: string;
  readonly #env: string;

  /** @param sections of the configuration beyond the least */
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

  /** Puts a strategy beside the configuration. @param body of `create` */
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

  /** Starts it and waits until it trades. */
  run(...more: readonly string[]): Promise<Ready> {
    return ready(['run', 'bot.yaml', '--json', ...more], this.folder, /trading \d+ market/);
  }

  async status(): Promise<BotStatus> {
    const status: BotStatus = JSON.parse(JSON.stringify(await this.ask('status')));
    return status;
  }

  async ask(
    command: Parameters<typeof askBot>[1]['command'],
    args: Readonly<Record<string, unknown>> = {},
  ): Promise<unknown> {
    return askBot(this.socket, { command, args }, clock);
  }

  /** The account at the venue. */
  async client(): Promise<AccountClient> {
    const signer = createSigner(await openPrimitives({ blinding: new Uint8Array(32).fill(7) }));
    const key = signer.key(this.key);
    const line = new VenueHttp({ url: this.url, clock });
    const messages = signedMessages(signer, {
      exchange: exchangeDomain(LOCAL_CHAIN_ID, LOCAL_CONTRACT),
      login: loginDomain(LOCAL_CHAIN_ID),
    });
    await signIn(line, { key }, pinsOf({ messages }, this.url));
    return new AccountClient(line);
  }
}

const LADDER =
  'params: { bid_spread: 60, ask_spread: 60, order_amount: 5, order_levels: 2, order_level_spread: 50, order_refresh_time: 1, max_position: 100 }';

/** Runs a command in this process, for commands that end by themselves. @param columns of a terminal; default: no terminal */
export async function within(args: readonly string[], cwd: string = ROOT, columns?: number): Promise<Ended> {
  const text = { stdout: '', stderr: '' };
  const output = (name: keyof typeof text) => ({
    write: (more: string) => {
      text[name] += harmless(more);
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

/** Waits until something is so; fails with the last word when it never is. */
export async function until(isSo: () => Promise<boolean> | boolean, what: string, patienceMs = 60_000): Promise<void> {
  const last = Date.now() + patienceMs;
  while (!(await isSo())) {
    if (Date.now() > last) throw new Error(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
