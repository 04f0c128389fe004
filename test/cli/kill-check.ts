/**
 * Compares the account in a bot's core, in its files and at the venue. The expected holdings and
 * cost are computed from the venue's list of all fills, which reveals a fill that a restart lost or counted twice.
 */
import { existsSync } from 'node:fs';
import { microShares, microUsd } from '../../src/domain/index.ts';
import { Holding } from '../../src/ledger/holding.ts';
import type { BotPosition } from '../../src/ops/control/bot-port.ts';
import type { BotStatus } from '../../src/ops/index.ts';
import type { SigningKey } from '../../src/signing/index.ts';
import type { BotProgress, OrderRow } from '../../src/store/bot/reader-rows.ts';
import { BotReader } from '../../src/store/index.ts';
import { login, queryVenue, type SigningTools } from '../server/trader.ts';
import { missingAtVenue } from './missing-at-venue.ts';

export interface KillCheckOptions {
  readonly url: string;
  readonly tools: SigningTools;
  /** The bot's key. */
  readonly key: SigningKey;
  /** Path of the bot's database. */
  readonly db: string;
  /** Maximum of shares open on a side of a market. More means that an order was sent twice. */
  readonly maxOpenShares: number;
  /** Maximum of |YES - NO| in a market, shares. */
  readonly maxHeldShares: number;
  /** Number of newest signed orders to read from the database. Default 1,000,000. */
  readonly maxSignedOrders?: number;
  status(): Promise<BotStatus>;
  request(name: 'positions'): Promise<unknown>;
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

/** The account at the venue, in micro-units. */
interface VenueAccount {
  readonly cash: number;
  readonly open: readonly VenueOrder[];
  readonly held: ReadonlyMap<string, number>;
}

const SHARE = 1_000_000;
const PAGE = 100;

const MAX_SIGNED_ORDERS = 1_000_000;
const OPEN = '[LIVE, PARTIALLY_FILLED]';

export class KillCheck {
  readonly #options: KillCheckOptions;
  readonly #holdings = new Map<string, { readonly holding: Holding; fees: number }>();
  readonly #fills = new Set<string>();
  readonly #orders = new Set<string>();
  #token: string | undefined;
  #lastFill = '0';
  #losses: NonNullable<BotProgress['risk']>['losses'] | undefined;

  constructor(options: KillCheckOptions) {
    this.#options = options;
  }

  /** Number of the bot's fills at the venue. */
  get fills(): number {
    return this.#fills.size;
  }

  /** Number of orders that the bot placed at the venue. */
  get orders(): number {
    return this.#orders.size;
  }

  close(): void {
    this.#token = undefined;
  }

  /** Forgets the losses so far, after an operator resumed trading. */
  resetLosses(): void {
    this.#losses = undefined;
  }

  /** Number of the account's open orders at the venue. */
  async openOrderCount(): Promise<number> {
    return (await this.#venue()).open.length;
  }

  /**
   * Waits until bot, files and venue agree. During the wait other traders must not trade. The bot may move its quotes.
   * @throws Error with the differences after the timeout
   */
  async waitForAgreement(
    where: string,
    { isKilled = false, timeoutMs }: { readonly isKilled?: boolean; readonly timeoutMs: number },
  ): Promise<void> {
    const end = Date.now() + timeoutMs;
    let found = await this.differencesOf(isKilled);
    while (found.length > 0) {
      if (Date.now() > end) throw new Error(`after ${where}: ${found.join('; ')}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      found = await this.differencesOf(isKilled);
    }
    this.#losses = this.#record()?.risk?.losses;
  }

  /** @throws Error if an order is open at the venue or in the database */
  async verifyNoOpenOrders(): Promise<void> {
    const { open } = await this.#venue();
    if (open.length > 0) throw new Error(`${open.length} orders stand at the venue after the end`);
    const stored = this.#open();
    if (stored.length > 0) throw new Error(`${stored.length} orders are open in the bot's database after the end`);
  }

  /** Describes each difference. Empty if there is none. */
  async differencesOf(isKilled: boolean): Promise<readonly string[]> {
    const { status, request } = this.#options;
    const before = this.#open();
    const [venue, bot] = [await this.#venue(), await status()];
    const positions: readonly BotPosition[] = JSON.parse(JSON.stringify(await request('positions')));
    await this.#readFills();
    const slugs = new Map(bot.markets.map(({ id, slug }) => [id, slug]));
    const found: string[] = [];
    const compare = (name: string, ours: unknown, theirs: unknown): void => {
      if (ours !== theirs) found.push(`${name}: the bot has ${ours}, the venue ${theirs}`);
    };
    compare('cash', bot.cash, venue.cash);
    compare('mode', bot.mode, isKilled ? 'KILLED' : 'ACTIVE');
    for (const [id, slug] of slugs) {
      const mine = positions.find(({ market }) => market === slug);
      const { holding, fees } = this.#holdingOf(id);
      for (const [outcome, held, cost, expected, expectedCost] of [
        ['YES', mine?.yes, mine?.yesCost, holding.yes, holding.yesCost],
        ['NO', mine?.no, mine?.noCost, holding.no, holding.noCost],
      ] as const) {
        compare(`${outcome} of ${slug}`, held ?? 0, venue.held.get(`${id} ${outcome}`) ?? 0);
        compare(`${outcome} of ${slug} by its fills`, held ?? 0, expected);
        compare(`cost of ${outcome} of ${slug}`, cost ?? 0, expectedCost);
      }
      compare(`realized in ${slug}`, mine?.realized ?? 0, holding.traded - fees);
      compare(`fees of ${slug}`, mine?.fees ?? 0, fees);
      const net = Math.abs(holding.yes - holding.no) / SHARE;
      if (net > this.#options.maxHeldShares) found.push(`${net} shares are held of ${slug}`);
    }
    found.push(...this.#orderFaults(venue), ...missingAtVenue(before, this.#open(), venue.open, Date.now()));
    found.push(...this.#lossFaults(), ...(await this.#unsignedOrders()));
    if (isKilled && venue.open.length > 0) found.push(`killed, and ${venue.open.length} orders stand`);
    return found;
  }

  /** Finds orders that are not in the bot's database, and sides of a market with too many open shares. */
  #orderFaults({ open }: VenueAccount): readonly string[] {
    const known = new Set(this.#open().map(({ hash }) => hash));
    const found = open.filter(({ id }) => !known.has(id)).map(({ id }) => `order ${id} is unknown to the bot`);
    const sides = new Map<string, number>();
    for (const { marketId, outcome, side, remainingShares } of open) {
      const key = `${marketId} ${(outcome === 'YES') === (side === 'BUY') ? 'bid' : 'ask'}`;
      sides.set(key, (sides.get(key) ?? 0) + remainingShares);
    }
    for (const [key, shares] of sides) {
      if (shares > this.#options.maxOpenShares) found.push(`${shares} shares are open on ${key}`);
    }
    return found;
  }

  /** Open orders in the bot's database. */
  #open(): readonly OrderRow[] {
    return this.#read((reader) => reader.orders('open', MAX_SIGNED_ORDERS));
  }

  /** Finds losses that a restart reset: within a day the start value is constant and the peak never falls. */
  #lossFaults(): readonly string[] {
    const now = this.#record()?.risk?.losses;
    const before = this.#losses;
    if (before === undefined || now === undefined || now.day !== before.day) return [];
    const found: string[] = [];
    if (now.dayStart !== before.dayStart) found.push(`the day began with ${before.dayStart}, now ${now.dayStart}`);
    if ((now.peak ?? 0) < (before.peak ?? 0)) found.push(`the peak was ${before.peak}, now ${now.peak}`);
    return found;
  }

  /** Excludes the orders so far from the search for unsigned orders, as the bot deletes old rows. */
  async ignoreEarlierOrders(): Promise<void> {
    for (const id of await this.#newOrderIds()) this.#orders.add(id);
  }

  /** Orders at the venue since the last check that the bot never signed. */
  async #unsignedOrders(): Promise<readonly string[]> {
    const newIds = await this.#newOrderIds();
    const { maxSignedOrders = MAX_SIGNED_ORDERS } = this.#options;
    const signed = new Set(this.#read((reader) => reader.orders('all', maxSignedOrders)).map(({ hash }) => hash));
    const unsigned = newIds.filter((id) => !signed.has(id));
    if (unsigned.length === 0) for (const id of newIds) this.#orders.add(id);
    return unsigned.map((id) => `order ${id} was never signed by the bot`);
  }

  /** Ids of the account's orders at the venue since the last check. */
  async #newOrderIds(): Promise<readonly string[]> {
    const newIds: string[] = [];
    let after: string | null = null;
    do {
      const text =
        'query ($i: OrdersInput) { orders(input: $i) { edges { node { id } } pageInfo { hasNextPage endCursor } } }';
      const { orders } = await this.#query(text, { i: { first: PAGE, ...(after === null ? {} : { after }) } });
      const ids: readonly string[] = orders.edges.map(
        ({ node }: { readonly node: { readonly id: string } }) => node.id,
      );
      newIds.push(...ids.filter((id) => !this.#orders.has(id)));
      after = orders.pageInfo.hasNextPage && !ids.some((id) => this.#orders.has(id)) ? orders.pageInfo.endCursor : null;
    } while (after !== null);
    return newIds;
  }

  async #readFills(): Promise<void> {
    for (;;) {
      const text = `query ($i: FillsInput) { fills(input: $i) {
        edges { node { id marketId outcome side shares amountMicros feeMicros seq } } pageInfo { hasNextPage } } }`;
      const { fills } = await this.#query(text, { i: { afterSeq: this.#lastFill, first: PAGE } });
      for (const { node } of fills.edges) this.#applyFill(node);
      if (!fills.pageInfo.hasNextPage) return;
    }
  }

  #applyFill({ id, marketId, outcome, side, shares, amountMicros, feeMicros, seq }: VenueFill): void {
    this.#lastFill = seq;
    if (this.#fills.has(id)) return;
    this.#fills.add(id);
    const expected = this.#holdingOf(marketId);
    const [count, amount] = [microShares(Math.round(shares * SHARE)), microUsd(Number(amountMicros))];
    if (side === 'BUY') expected.holding.buy(outcome, count, amount);
    else expected.holding.sell(outcome, count, amount);
    expected.fees += Number(feeMicros);
  }

  #holdingOf(market: string) {
    const expected = this.#holdings.get(market) ?? { holding: new Holding(), fees: 0 };
    this.#holdings.set(market, expected);
    return expected;
  }

  async #venue(): Promise<VenueAccount> {
    const text = `{ balance { availableMicros reservedMicros }
      orders(input: { statuses: ${OPEN}, first: ${PAGE} }) { edges { node { id marketId outcome side remainingShares } } }
      positions(input: { openOnly: false, first: ${PAGE} }) { edges { node { marketId outcome shares } } } }`;
    const { balance, orders, positions } = await this.#query(text, {});
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

  /** Logs in again when the query fails, as a restart of the venue may end the session. */
  async #query(text: string, variables: object) {
    const { url, tools, key } = this.#options;
    try {
      this.#token ??= await login(url, tools, key);
      return await queryVenue(url, this.#token, text, variables);
    } catch {
      this.#token = await login(url, tools, key);
      return queryVenue(url, this.#token, text, variables);
    }
  }

  #record(): BotProgress | undefined {
    return this.#read((reader) => reader.progress());
  }

  #read<T>(query: (reader: BotReader) => T): T {
    if (!existsSync(this.#options.db)) throw new Error(`${this.#options.db} is gone`);
    const reader = BotReader.open(this.#options.db);
    try {
      return query(reader);
    } finally {
      reader.close();
    }
  }
}
