/**
 * The real programs, a venue and a bot on it, killed with SIGKILL at random moments (one of them, or both, in the middle of a
 * start too) and started again on the same files, while others trade with the bot.
 *
 * After each recovery nothing may be orphaned, doubled or forgotten: see `differencesOf` in kill-check.ts. At the end a
 * SIGTERM leaves no order.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { type Random, seededRandom, wallClock } from '../../src/clock/index.ts';
import { askBot, type BotStatus } from '../../src/ops/index.ts';
import { keyOf, openSigningTools, type SigningTools } from '../server/trader.ts';
import type { SmallDisk } from '../small-disk.ts';
import { killPrograms, Program } from './child-program.ts';
import { KillCheck } from './kill-check.ts';
import { OtherTraders } from './other-traders.ts';

export interface BotKillRun {
  readonly kills: number;
  readonly seed: number;
  /** An empty one. */
  readonly folder: string;
  /** Has the bot's files. With it, the bot is not killed: its disk is full, until it has ended. */
  readonly disk?: SmallDisk;
  /** Hears of each kill, a line. */
  readonly tell?: (line: string) => void;
}

export interface BotKillTally {
  readonly bots: number;
  readonly venues: number;
  readonly both: number;
  /** Of the bots: before they traded. */
  readonly inStart: number;
  /** Fills of the bot. */
  readonly fills: number;
  /** Orders that it placed. */
  readonly orders: number;
  /** Recoveries that found trading killed, and left it so. */
  readonly stayedKilled: number;
  /** Of bots that died, by their watchdog or by the next start. */
  readonly leftStanding: number;
}

const PATIENCE_MS = 60_000;
const TRADING = /trading \d+ market/;
const FULL = /Make room on the disk and try again: all that was acknowledged is there/;
const AMOUNT = 5;
const LEVELS = 2;
const MAX_POSITION = 60;
const VENUE_FILE =
  'chain: { model: manual }\nresolver: { model: manual }\ncredit_cents: 100000000\n' +
  'exchange: { max_bet_per_market: 1000000000000, max_exposure_per_market: 1000000000000 }\n';

/** @throws Error at the first thing that is not as it must be */
export async function botKillRun(of: BotKillRun): Promise<BotKillTally> {
  const run = await BotKills.open(of);
  try {
    return await run.play();
  } finally {
    run.close();
    killPrograms();
  }
}

class BotKills {
  readonly #of: BotKillRun;
  readonly #random: Random;
  readonly #port: number;
  readonly #tools: SigningTools;
  readonly #clock = wallClock();
  #venue: Program | undefined;
  #bot: Program | undefined;
  #token = '';
  #check: KillCheck | undefined;
  #crowd: OtherTraders | undefined;
  #isKilled = false;
  #tally = { bots: 0, venues: 0, both: 0, inStart: 0, stayedKilled: 0, leftStanding: 0 };

  private constructor(of: BotKillRun, port: number, tools: SigningTools) {
    this.#of = of;
    this.#random = seededRandom(of.seed);
    this.#port = port;
    this.#tools = tools;
  }

  static async open(of: BotKillRun): Promise<BotKills> {
    return new BotKills(of, await freePort(), await openSigningTools());
  }

  get #url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get #botFolder(): string {
    return this.#of.disk?.folder ?? this.#of.folder;
  }

  close(): void {
    this.#crowd?.end();
    this.#check?.close();
  }

  async play(): Promise<BotKillTally> {
    const { folder, kills, tell = () => {} } = this.#of;
    writeFileSync(join(folder, 'venue.yaml'), VENUE_FILE);
    await this.#startVenue();
    const markets = [await this.#market('One?'), await this.#market('Two?')];
    this.#configure(markets);
    const check = new KillCheck({
      url: this.#url,
      tools: this.#tools,
      key: keyOf(this.#tools, 1),
      db: join(this.#botFolder, 'bot.db'),
      mostOpen: AMOUNT * LEVELS,
      mostHeld: MAX_POSITION,
      status: () => this.#status(),
      ask: (what) => this.#ask(what),
    });
    this.#check = check;
    const crowd = new OtherTraders({ url: this.#url, tools: this.#tools, markets, random: this.#random.fork('crowd') });
    this.#crowd = crowd;
    crowd.goOn();
    await this.#startBot();
    await this.#trading();
    for (let kill = 1; kill <= kills; kill += 1) {
      await this.#operate();
      await pause(this.#random.int(1_500));
      const what = await this.#killSomething();
      await this.#recovered();
      await crowd.rest();
      await check.agreement(this.#isKilled, `kill ${kill} (${what})`, PATIENCE_MS);
      if (this.#isKilled) this.#tally.stayedKilled += 1;
      tell(`${kill}: ${what}, ${check.fills} fills, ${check.orders} orders`);
      crowd.goOn();
    }
    await crowd.rest();
    await this.#end();
    return { ...this.#tally, fills: check.fills, orders: check.orders };
  }

  /** Now and then an operator kills trading; later he lets it go on. */
  async #operate(): Promise<void> {
    // A bot whose trading is killed writes nothing: it would not notice that its disk is full.
    if (this.#of.disk !== undefined) return;
    if (this.#isKilled) {
      if (this.#random.int(2) === 0) return;
      await this.#ask('resume');
      this.#isKilled = false;
      this.#check?.lossesBeginAnew();
    } else if (this.#random.int(8) === 0) {
      await this.#ask('kill', { reason: 'the soak' });
      this.#isKilled = true;
    }
  }

  async #killSomething(): Promise<string> {
    const [bot, venue] = [demanded(this.#bot), demanded(this.#venue)];
    if (this.#of.disk !== undefined) return this.#fillDisk(bot, this.#of.disk);
    const what = this.#random.int(10);
    if (what < 2) {
      this.#tally.venues += 1;
      await kill(venue);
      return 'venue';
    }
    if (what < 4) {
      this.#tally.both += 1;
      await Promise.all(this.#random.int(2) === 0 ? [kill(venue), kill(bot)] : [kill(bot), kill(venue)]);
      return 'both';
    }
    this.#tally.bots += 1;
    await kill(bot);
    if (this.#random.int(3) > 0) return 'bot';
    // Once more, somewhere in its start.
    await this.#startBot();
    await Promise.race([pause(300 + this.#random.int(2_500)), demanded(this.#bot).says(TRADING)]);
    if (!TRADING.test(demanded(this.#bot).said)) this.#tally.inStart += 1;
    await kill(demanded(this.#bot));
    return 'bot, and in its start';
  }

  /** The bot ends by itself and says why. */
  async #fillDisk(bot: Program, disk: SmallDisk): Promise<string> {
    await disk.keepFull(bot.ended);
    const code = await bot.ended;
    if (code !== 3 || !FULL.test(bot.said)) throw new Error(`on a full disk the bot ended with ${code}: ${bot.said}`);
    disk.makeRoom();
    this.#tally.bots += 1;
    return 'bot, disk full';
  }

  /** Both run, and the bot trades, or stays killed. */
  async #recovered(): Promise<void> {
    const bot = demanded(this.#bot);
    if (demanded(this.#venue).isOver) await this.#startVenue();
    if (bot.isOver) {
      if ((await demanded(this.#check).openNow()) > 0) this.#tally.leftStanding += 1;
      await this.#startBot();
    }
    await this.#trading();
    await this.#until(async () => (await this.#status()).link === 'UP', 'the bot is connected to the venue');
  }

  async #trading(): Promise<void> {
    const bot = demanded(this.#bot);
    if (!(await bot.says(TRADING)) || bot.isOver) throw new Error(`the bot ended by itself: ${bot.said}`);
  }

  /** In good order: nothing is left. */
  async #end(): Promise<void> {
    const bot = demanded(this.#bot);
    bot.signal('SIGTERM');
    const code = await bot.ended;
    if (code !== 0) throw new Error(`the bot ended with ${code}: ${bot.said}`);
    const summary: unknown = JSON.parse(
      bot.said
        .trim()
        .split('\n')
        .findLast((line) => line.includes('openOrdersAtVenue')) ?? '',
    );
    if (Object(summary).openOrdersAtVenue !== 0) throw new Error(`at the end: ${JSON.stringify(summary)}`);
    await demanded(this.#check).nothingLeft();
    demanded(this.#venue).signal('SIGTERM');
    await demanded(this.#venue).ended;
  }

  async #startVenue(): Promise<void> {
    const args = ['serve', '--port', String(this.#port), '--db', 'venue.db', '--config', 'venue.yaml', '--log', 'warn'];
    const venue = new Program(args, this.#of.folder);
    this.#venue = venue;
    if (!(await venue.says(/listening on \S+\n/))) throw new Error(`the venue did not start: ${venue.said}`);
    this.#token = /shown only once: (\S+)/.exec(venue.said)?.[1] ?? this.#token;
  }

  /** With a watchdog that clears up after it, or without: then the next start does it, or adopts what stands. */
  async #startBot(): Promise<void> {
    const file = ['watched', 'cancels', 'adopts'][this.#random.int(3)] ?? 'watched';
    const env = { ...process.env, SOAK_KEY: `0x${'1'.padStart(64, '7')}`, XDG_STATE_HOME: this.#of.folder };
    this.#bot = new Program(
      ['run', `${file}.yaml`, '--db', join(this.#botFolder, 'bot.db'), '--json'],
      this.#of.folder,
      env,
    );
  }

  #configure(markets: readonly string[]): void {
    const { folder } = this.#of;
    mkdirSync(folder, { recursive: true });
    const text = [
      `venue: { url: "${this.#url}" }`,
      'account: { key: { env: SOAK_KEY } }',
      `markets: { ids: [${markets.join(', ')}] }`,
      'strategy: ladder',
      `params: { bid_spread: 60, ask_spread: 60, order_amount: ${AMOUNT}, order_levels: ${LEVELS}, order_level_spread: 50, order_refresh_time: 0.3, inventory_skew_enabled: false, max_order_age: 1, max_position: ${MAX_POSITION} }`,
      `risk: { max_position: ${MAX_POSITION}, daily_loss_usd: 100000, max_drawdown_usd: 100000, price_collar_bps: none }`,
      'log: { level: info }',
      ...(this.#of.disk === undefined ? [] : [`record: { folder: ${join(this.#botFolder, 'recorded')}, raw: true }`]),
    ];
    for (const [name, more] of [
      ['watched', 'watchdog_ms: 5000'],
      ['cancels', 'watchdog_ms: none'],
      ['adopts', 'watchdog_ms: none\nleftovers: adopt'],
    ] as const) {
      writeFileSync(join(folder, `${name}.yaml`), `${[...text, more].join('\n')}\n`);
    }
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

  async #ask(command: Parameters<typeof askBot>[1]['command'], args: Readonly<Record<string, unknown>> = {}) {
    return askBot(join(this.#botFolder, 'bot.sock'), { command, args }, this.#clock);
  }

  async #status(): Promise<BotStatus> {
    const status: BotStatus = JSON.parse(JSON.stringify(await this.#ask('status')));
    return status;
  }

  async #until(isSo: () => Promise<boolean>, what: string): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    while (!(await isSo())) {
      if (Date.now() > end) throw new Error(`never came: ${what}; the bot said ${demanded(this.#bot).said}`);
      await pause(50);
    }
  }
}

async function kill(program: Program): Promise<void> {
  if (program.isOver) throw new Error(`a program ended by itself: ${program.said}`);
  program.signal('SIGKILL');
  await program.ended;
}

function demanded<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Invariant: it was started before');
  return value;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}
