/**
 * Compares the account in a bot's core, in its files and at the venue, each queried independently. The account's holdings and
 * cost are computed from the venue's list of all fills, so that a fill that a restart forgot or counted twice shows.
 */
import { existsSync } from 'node:fs';
import { microShares, microUsd } from '../../src/domain/index.ts';
import { Holding } from '../../src/ledger/index.ts';
import type { BotPosition, BotStatus } from '../../src/ops/index.ts';
import type { SigningKey } from '../../src/signing/index.ts';
import { BotReader, type BotRecord, type OrderRow } from '../../src/store/index.ts';
import { login, queryVenue, type SigningTools } from '../server/trader.ts';
import { ghostsOf } from './ghosts.ts';

export interface KillCheckOptions {
  readonly url: string;
  readonly tools: SigningTools;
  /** The bot's. */
  readonly key: SigningKey;
  /** The bot's database. */
  readonly db: string;
  /** Most shares open on a side of a market: more is an order that stands twice. */
  readonly mostOpen: number;
  /** Most |YES - NO| in a market, shares. */
  readonly mostHeld: number;
  /** Signed orders that can be at the venue: at most so many, the newest. Default a million. */
  readonly newest?: number;
  status(): Promise<BotStatus>;
  ask(what: 'positions'): Promise<unknown>;
}

interface VenueOrder {
  readonly id: string;
  readonly marketId: string;
  readonly outcome: 'YES' | 'NO';
  readonly side: 'BUY' | 'SELL';
  readonly remainingShares: number;
}

interface VenueFill {
  readonly id: string;
  readonly marketId: string;
  readonly outcome: 'YES' | 'NO';
  readonly side: 'BUY' | 'SELL';
  readonly shares: number;
  readonly amountMicros: string;
  readonly feeMicros: string;
  readonly seq: string;
}

/** As the venue has it, in micro-units. */
interface VenueAccount {
  readonly cash: number;
  readonly open: readonly VenueOrder[];
  readonly held: ReadonlyMap<string, number>;
}

const SHARE = 1_000_000;
const PAGE = 100;
/** Signed orders that are looked through for those of the venue, where nothing else is said. */
const NEWEST = 1_000_000;
const OPEN = '[LIVE, PARTIALLY_FILLED]';

export class KillCheck {
  readonly #options: KillCheckOptions;
  readonly #holdings = new Map<string, { readonly holding: Holding; fees: number }>();
  readonly #fills = new Set<string>();
  readonly #orders = new Set<string>();
  #token: string | undefined;
  #lastFill = '0';
  #losses: NonNullable<BotRecord['risk']>['losses'] | undefined;

  constructor(options: KillCheckOptions) {
    this.#options = options;
  }

  /** Of the bot, by the venue's list. */
  get fills(): number {
    return this.#fills.size;
  }

  /** That the bot ever placed, by the venue's list. */
  get orders(): number {
    return this.#orders.size;
  }

  close(): void {
    this.#token = undefined;
  }

  /** Losses up to now were accepted. */
  lossesBeginAnew(): void {
    this.#losses = undefined;
  }

  /** Open orders of the account at the venue. */
  async openNow(): Promise<number> {
    return (await this.#venue()).open.length;
  }

  /**
   * Waits until all agree. Others have to keep still meanwhile; the bot may move its quotes.
   * @throws Error listing what differs when it does not come to pass
   */
  async agreement(isKilled: boolean, where: string, patienceMs: number): Promise<void> {
    const end = Date.now() + patienceMs;
    let found = await this.differencesOf(isKilled);
    while (found.length > 0) {
      if (Date.now() > end) throw new Error(`after ${where}: ${found.join('; ')}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      found = await this.differencesOf(isKilled);
    }
    this.#losses = this.#standing()?.risk?.losses;
  }

  /** After the bot's good end. */
  async nothingLeft(): Promise<void> {
    const { open } = await this.#venue();
    if (open.length > 0) throw new Error(`${open.length} orders stand at the venue after the end`);
    const stored = this.#open();
    if (stored.length > 0) throw new Error(`${stored.length} orders are open in the bot's database after the end`);
  }

  /** In words; empty when all is well. */
  async differencesOf(isKilled: boolean): Promise<readonly string[]> {
    const { status, ask } = this.#options;
    const before = this.#open();
    const [venue, bot] = [await this.#venue(), await status()];
    const positions: readonly BotPosition[] = JSON.parse(JSON.stringify(await ask('positions')));
    await this.#readFills();
    const slugs = new Map(bot.markets.map(({ id, slug }) => [id, slug]));
    const found: string[] = [];
    const same = (what: string, ours: unknown, theirs: unknown): void => {
      if (ours !== theirs) found.push(`${what}: the bot has ${ours}, the venue ${theirs}`);
    };
    same('cash', bot.cash, venue.cash);
    same('mode', bot.mode, isKilled ? 'KILLED' : 'ACTIVE');
    for (const [id, slug] of slugs) {
      const mine = positions.find(({ market }) => market === slug);
      const { holding, fees } = this.#holdingOf(id);
      for (const [outcome, held, cost, kept, keptCost] of [
        ['YES', mine?.yes, mine?.yesCost, holding.yes, holding.yesCost],
        ['NO', mine?.no, mine?.noCost, holding.no, holding.noCost],
      ] as const) {
        same(`${outcome} of ${slug}`, held ?? 0, venue.held.get(`${id} ${outcome}`) ?? 0);
        same(`${outcome} of ${slug} by its fills`, held ?? 0, kept);
        same(`cost of ${outcome} of ${slug}`, cost ?? 0, keptCost);
      }
      same(`realised in ${slug}`, mine?.realized ?? 0, holding.traded - fees);
      same(`fees of ${slug}`, mine?.fees ?? 0, fees);
      const net = Math.abs(holding.yes - holding.no) / SHARE;
      if (net > this.#options.mostHeld) found.push(`${net} shares are held of ${slug}`);
    }
    found.push(...this.#orderFaults(venue), ...ghostsOf(before, this.#open(), venue.open, Date.now()));
    found.push(...this.#lossFaults(), ...(await this.#strangers()));
    if (isKilled && venue.open.length > 0) found.push(`killed, and ${venue.open.length} orders stand`);
    return found;
  }

  /** Each is in the bot's database, and no side of a market has more than its quotes. */
  #orderFaults({ open }: VenueAccount): readonly string[] {
    const known = new Set(this.#open().map(({ hash }) => hash));
    const found = open.filter(({ id }) => !known.has(id)).map(({ id }) => `order ${id} is unknown to the bot`);
    const sides = new Map<string, number>();
    for (const { marketId, outcome, side, remainingShares } of open) {
      const key = `${marketId} ${(outcome === 'YES') === (side === 'BUY') ? 'bid' : 'ask'}`;
      sides.set(key, (sides.get(key) ?? 0) + remainingShares);
    }
    for (const [key, shares] of sides) {
      if (shares > this.#options.mostOpen) found.push(`${shares} shares are open on ${key}`);
    }
    return found;
  }

  /** By the bot's database. */
  #open(): readonly OrderRow[] {
    return this.#read((reader) => reader.orders(true, NEWEST));
  }

  /** The day's beginning stays, the peak never falls: a restart refills no limit. */
  #lossFaults(): readonly string[] {
    const now = this.#standing()?.risk?.losses;
    const before = this.#losses;
    if (before === undefined || now === undefined || now.day !== before.day) return [];
    const found: string[] = [];
    if (now.dayStart !== before.dayStart) found.push(`the day began with ${before.dayStart}, now ${now.dayStart}`);
    if ((now.peak ?? 0) < (before.peak ?? 0)) found.push(`the peak was ${before.peak}, now ${now.peak}`);
    return found;
  }

  /** Those up to now are not looked for: what was signed long ago, the bot forgets. */
  async ordersBeginAnew(): Promise<void> {
    for (const id of await this.#freshOrders()) this.#orders.add(id);
  }

  /** Orders of the account that the bot never signed, since the last look. */
  async #strangers(): Promise<readonly string[]> {
    const fresh = await this.#freshOrders();
    const { newest = NEWEST } = this.#options;
    const signed = new Set(this.#read((reader) => reader.orders(false, newest)).map(({ hash }) => hash));
    const strangers = fresh.filter((id) => !signed.has(id));
    if (strangers.length === 0) for (const id of fresh) this.#orders.add(id);
    return strangers.map((id) => `order ${id} was never signed by the bot`);
  }

  /** Of the account at the venue, since the last look. */
  async #freshOrders(): Promise<readonly string[]> {
    const fresh: string[] = [];
    let after: string | null = null;
    do {
      const text =
        'query ($i: OrdersInput) { orders(input: $i) { edges { node { id } } pageInfo { hasNextPage endCursor } } }';
      const { orders } = await this.#ask(text, { i: { first: PAGE, ...(after === null ? {} : { after }) } });
      const ids: readonly string[] = orders.edges.map(
        ({ node }: { readonly node: { readonly id: string } }) => node.id,
      );
      fresh.push(...ids.filter((id) => !this.#orders.has(id)));
      after = orders.pageInfo.hasNextPage && !ids.some((id) => this.#orders.has(id)) ? orders.pageInfo.endCursor : null;
    } while (after !== null);
    return fresh;
  }

  async #readFills(): Promise<void> {
    for (;;) {
      const text = `query ($i: FillsInput) { fills(input: $i) {
        edges { node { id marketId outcome side shares amountMicros feeMicros seq } } pageInfo { hasNextPage } } }`;
      const { fills } = await this.#ask(text, { i: { afterSeq: this.#lastFill, first: PAGE } });
      for (const { node } of fills.edges) this.#take(node);
      if (!fills.pageInfo.hasNextPage) return;
    }
  }

  #take({ id, marketId, outcome, side, shares, amountMicros, feeMicros, seq }: VenueFill): void {
    this.#lastFill = seq;
    if (this.#fills.has(id)) return;
    this.#fills.add(id);
    const kept = this.#holdingOf(marketId);
    const [count, amount] = [microShares(Math.round(shares * SHARE)), microUsd(Number(amountMicros))];
    if (side === 'BUY') kept.holding.buy(outcome, count, amount);
    else kept.holding.sell(outcome, count, amount);
    kept.fees += Number(feeMicros);
  }

  #holdingOf(market: string) {
    const kept = this.#holdings.get(market) ?? { holding: new Holding(), fees: 0 };
    this.#holdings.set(market, kept);
    return kept;
  }

  async #venue(): Promise<VenueAccount> {
    const text = `{ balance { availableMicros reservedMicros }
      orders(input: { statuses: ${OPEN}, first: ${PAGE} }) { edges { node { id marketId outcome side remainingShares } } }
      positions(input: { openOnly: false, first: ${PAGE} }) { edges { node { marketId outcome shares } } } }`;
    const { balance, orders, positions } = await this.#ask(text, {});
    return {
      cash: Number(balance.availableMicros) + Number(balance.reservedMicros),
      open: orders.edges.map(({ node }: { readonly node: VenueOrder }) => node),
      held: new Map(
        positions.edges.map(({ node }: { readonly node: { marketId: string; outcome: string; shares: number } }) => [
          `${node.marketId} ${node.outcome}`,
          Math.round(node.shares * SHARE),
        ]),
      ),
    };
  }

  /** The session survives the venue's restart or is opened again. */
  async #ask(text: string, variables: object) {
    const { url, tools, key } = this.#options;
    try {
      this.#token ??= await login(url, tools, key);
      return await queryVenue(url, this.#token, text, variables);
    } catch {
      this.#token = await login(url, tools, key);
      return queryVenue(url, this.#token, text, variables);
    }
  }

  #standing(): BotRecord | undefined {
    return this.#read((reader) => reader.lastRecord());
  }

  #read<T>(look: (reader: BotReader) => T): T {
    if (!existsSync(this.#options.db)) throw new Error(`${this.#options.db} is gone`);
    const reader = BotReader.open(this.#options.db);
    try {
      return look(reader);
    } finally {
      reader.close();
    }
  }
}
