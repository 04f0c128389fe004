/**
 * Kills a venue, a bot, or both with SIGKILL at random moments, also during a start, and starts them again on the same
 * files while other accounts trade with the bot.
 *
 * After each recovery `differencesOf` (kill-check.ts) must find none. At the end a SIGTERM must leave no open order.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { type Random, seededRandom, wallClock } from '../../src/clock/index.ts';
import { type BotStatus, requestBot } from '../../src/ops/index.ts';
import { freePort } from '../free-port.ts';
import { keyOf, openSigningTools, type SigningTools } from '../server/trader.ts';
import type { SmallDisk } from '../small-disk.ts';
import { killPrograms, Program } from './child-program.ts';
import { AMOUNT, LEVELS, MAX_POSITION, writeBotFiles } from './kill-bot-files.ts';
import { KillCheck } from './kill-check.ts';
import { OtherTraders } from './other-traders.ts';

export interface BotKillRun {
  readonly kills: number;
  readonly seed: number;
  /** An empty folder for all files. */
  readonly folder: string;
  /** Disk for the bot's files. With it, the bot is not killed: its disk fills up until the bot ends. */
  readonly disk?: SmallDisk;
  /** Called with a line after each kill. */
  readonly onKill?: (line: string) => void;
}

export interface BotKillTally {
  readonly bots: number;
  readonly venues: number;
  readonly both: number;
  /** Kills of a bot before it traded. */
  readonly inStart: number;
  /** Number of the bot's fills. */
  readonly fills: number;
  /** Number of the bot's orders. */
  readonly orders: number;
  /** Recoveries after which trading was still killed. */
  readonly stayedKilled: number;
  /** Starts of a bot whose earlier orders were still open at the venue. */
  readonly leftStanding: number;
}

const TIMEOUT_MS = 60_000;
const TRADING = /trading \d+ market/;
const FULL = /Free disk space and try again\. All acknowledged data is stored/;
const VENUE_FILE =
  'chain: { model: manual }\nresolver: { model: manual }\ncredit_cents: 100000000\n' +
  'exchange: { max_bet_per_market: 1000000000000, max_exposure_per_market: 1000000000000 }\n';

/** @throws Error at the first difference or unexpected end */
export async function botKillRun(options: BotKillRun): Promise<BotKillTally> {
  const run = await BotKills.open(options);
  try {
    return await run.run();
  } finally {
    run.close();
    killPrograms();
  }
}

class BotKills {
  readonly #options: BotKillRun;
  readonly #random: Random;
  readonly #port: number;
  readonly #tools: SigningTools;
  readonly #clock = wallClock();
  #venue: Program | undefined;
  #bot: Program | undefined;
  #token = '';
  #check: KillCheck | undefined;
  #otherTraders: OtherTraders | undefined;
  #isKilled = false;
  #counters = { bots: 0, venues: 0, both: 0, inStart: 0, stayedKilled: 0, leftStanding: 0 };

  private constructor(options: BotKillRun, port: number, tools: SigningTools) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.#port = port;
    this.#tools = tools;
  }

  static async open(options: BotKillRun): Promise<BotKills> {
    return new BotKills(options, await freePort(), await openSigningTools());
  }

  get #url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get #botFolder(): string {
    return this.#options.disk?.folder ?? this.#options.folder;
  }

  close(): void {
    this.#otherTraders?.end();
    this.#check?.close();
  }

  async run(): Promise<BotKillTally> {
    const { folder, kills, onKill = () => {} } = this.#options;
    writeFileSync(join(folder, 'venue.yaml'), VENUE_FILE);
    await this.#startVenue();
    const markets = [await this.#market('One?'), await this.#market('Two?')];
    const recordFolder = this.#options.disk && join(this.#botFolder, 'recorded');
    writeBotFiles(folder, { url: this.#url, markets, recordFolder });
    const check = new KillCheck({
      url: this.#url,
      tools: this.#tools,
      key: keyOf(this.#tools, 1),
      db: join(this.#botFolder, 'bot.db'),
      maxOpenShares: AMOUNT * LEVELS,
      maxHeldShares: MAX_POSITION,
      status: () => this.#status(),
      request: (command) => this.#request(command),
    });
    this.#check = check;
    const otherTraders = new OtherTraders({
      url: this.#url,
      tools: this.#tools,
      markets,
      random: this.#random.fork('crowd'),
    });
    this.#otherTraders = otherTraders;
    otherTraders.start();
    await this.#startBot();
    await this.#waitForTrading();
    for (let kill = 1; kill <= kills; kill += 1) {
      await this.#operate();
      await pause(this.#random.int(1_500));
      const target = await this.#killSomething();
      await this.#recover();
      await otherTraders.pause();
      await check.waitForAgreement(`kill ${kill} (${target})`, {
        isKilled: this.#isKilled,
        timeoutMs: TIMEOUT_MS,
      });
      if (this.#isKilled) this.#counters.stayedKilled += 1;
      onKill(`${kill}: ${target}, ${check.fills} fills, ${check.orders} orders`);
      otherTraders.start();
    }
    await otherTraders.pause();
    await this.#end();
    return { ...this.#counters, fills: check.fills, orders: check.orders };
  }

  /** Kills trading, or resumes it, as an operator at random. */
  async #operate(): Promise<void> {
    // A killed bot writes nothing and so does not detect a full disk.
    if (this.#options.disk !== undefined) return;
    if (this.#isKilled) {
      if (this.#random.int(2) === 0) return;
      await this.#request('resume');
      this.#isKilled = false;
      this.#check?.resetLosses();
    } else if (this.#random.int(8) === 0) {
      await this.#request('kill', { reason: 'the soak' });
      this.#isKilled = true;
    }
  }

  async #killSomething(): Promise<string> {
    const [bot, venue] = [required(this.#bot), required(this.#venue)];
    if (this.#options.disk !== undefined) return this.#fillDisk(bot, this.#options.disk);
    const choice = this.#random.int(10);
    if (choice < 2) {
      this.#counters.venues += 1;
      await kill(venue);
      return 'venue';
    }
    if (choice < 4) {
      this.#counters.both += 1;
      await Promise.all(this.#random.int(2) === 0 ? [kill(venue), kill(bot)] : [kill(bot), kill(venue)]);
      return 'both';
    }
    this.#counters.bots += 1;
    await kill(bot);
    if (this.#random.int(3) > 0) return 'bot';
    // Kills it a second time during its start.
    await this.#startBot();
    await Promise.race([pause(300 + this.#random.int(2_500)), required(this.#bot).waitForOutput(TRADING)]);
    if (!TRADING.test(required(this.#bot).output)) this.#counters.inStart += 1;
    await kill(required(this.#bot));
    return 'bot, and in its start';
  }

  /** Fills the disk and waits until the bot ends with an error. */
  async #fillDisk(bot: Program, disk: SmallDisk): Promise<string> {
    await disk.keepFull(bot.ended);
    const code = await bot.ended;
    if (code !== 3 || !FULL.test(bot.output))
      throw new Error(`on a full disk the bot ended with ${code}: ${bot.output}`);
    disk.freeSpace();
    this.#counters.bots += 1;
    return 'bot, disk full';
  }

  /** Starts what was killed, and waits until the bot trades or is still killed, and is connected. */
  async #recover(): Promise<void> {
    const bot = required(this.#bot);
    if (required(this.#venue).hasEnded) await this.#startVenue();
    if (bot.hasEnded) {
      if ((await required(this.#check).openOrderCount()) > 0) this.#counters.leftStanding += 1;
      await this.#startBot();
    }
    await this.#waitForTrading();
    await this.#until(async () => (await this.#status()).link === 'UP', 'the bot is connected to the venue');
  }

  async #waitForTrading(): Promise<void> {
    const bot = required(this.#bot);
    if (!(await bot.waitForOutput(TRADING)) || bot.hasEnded) throw new Error(`the bot ended by itself: ${bot.output}`);
  }

  /** Ends the bot with SIGTERM and verifies that no order is left open. */
  async #end(): Promise<void> {
    const bot = required(this.#bot);
    bot.signal('SIGTERM');
    const code = await bot.ended;
    if (code !== 0) throw new Error(`the bot ended with ${code}: ${bot.output}`);
    const summary: unknown = JSON.parse(
      bot.output
        .trim()
        .split('\n')
        .findLast((line) => line.includes('openOrdersAtVenue')) ?? '',
    );
    if (Object(summary).openOrdersAtVenue !== 0) throw new Error(`at the end: ${JSON.stringify(summary)}`);
    await required(this.#check).verifyNoOpenOrders();
    required(this.#venue).signal('SIGTERM');
    await required(this.#venue).ended;
  }

  async #startVenue(): Promise<void> {
    const args = ['serve', '--port', String(this.#port), '--db', 'venue.db', '--config', 'venue.yaml', '--log', 'warn'];
    const venue = new Program(args, this.#options.folder);
    this.#venue = venue;
    if (!(await venue.waitForOutput(/listening on \S+\n/))) throw new Error(`the venue did not start: ${venue.output}`);
    this.#token = /shown only once: (\S+)/.exec(venue.output)?.[1] ?? this.#token;
  }

  /** Starts the bot with a watchdog, or without one; then the next start cancels or adopts the open orders. */
  async #startBot(): Promise<void> {
    const file = ['watched', 'cancels', 'adopts'][this.#random.int(3)] ?? 'watched';
    const env = { ...process.env, SOAK_KEY: `0x${'1'.padStart(64, '7')}`, XDG_STATE_HOME: this.#options.folder };
    this.#bot = new Program(
      ['run', `${file}.yaml`, '--db', join(this.#botFolder, 'bot.db'), '--json'],
      this.#options.folder,
      env,
    );
  }

  async #market(question: string): Promise<string> {
    await this.#operateVenue('put-category', { slug: 'tests', name: 'Tests' });
    const terms = { question, rules: 'As tested.', category: 'tests', resolution_date: '2100-01-01T00:00:00Z' };
    const { id } = Object(await this.#operateVenue('create-market', terms));
    await this.#operateVenue('open-market', { market: id });
    return id;
  }

  async #operateVenue(command: string, args: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: JSON.stringify({ ...args, command }) };
    const { ok, result, error } = Object(await (await fetch(`${this.#url}/operator`, sent)).json());
    if (ok !== true) throw new Error(`${command}: ${error?.message}`);
    return result;
  }

  async #request(command: Parameters<typeof requestBot>[1]['command'], args: Readonly<Record<string, unknown>> = {}) {
    return requestBot(join(this.#botFolder, 'bot.sock'), { command, args }, this.#clock);
  }

  async #status(): Promise<BotStatus> {
    const status: BotStatus = JSON.parse(JSON.stringify(await this.#request('status')));
    return status;
  }

  async #until(condition: () => Promise<boolean>, description: string): Promise<void> {
    const end = Date.now() + TIMEOUT_MS;
    while (!(await condition())) {
      if (Date.now() > end) throw new Error(`timeout: ${description}; the bot printed ${required(this.#bot).output}`);
      await pause(50);
    }
  }
}

async function kill(program: Program): Promise<void> {
  if (program.hasEnded) throw new Error(`a program ended by itself: ${program.output}`);
  program.signal('SIGKILL');
  await program.ended;
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Invariant: it was started before');
  return value;
}
