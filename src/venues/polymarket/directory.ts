/**
 * Finds markets with Gamma and reads their terms from the CLOB (docs/spec/polymarket.md#discovery).
 *
 * The internal id of a market is a hash of the condition id. The directory converts an id back only if it has read the
 * market. Markets of Protocol V2 are not supported yet.
 */
import { Fault, InputFault, type MarketInfo, type MarketNo, unchecked } from '../../domain/index.ts';
import { type HttpClient, tryRead } from '../../network/index.ts';
import { type PolymarketListing, readPolymarketListing } from '../../protocol/polymarket/index.ts';
import { type MarketCandidate, polymarketMarketId } from '../../runtime/index.ts';
import type { MarketSetup } from '../../state/index.ts';
import {
  type BadMarket,
  batches,
  type KnownMarkets,
  type Log,
  type MarketDirectory,
  type MarketSelector,
  type Selection,
  type SelectionNumbers,
} from '../base/index.ts';
import { ClobReader } from './clob-reader.ts';
import { findMarkets, getNames, type ListedMarket, listMarkets, type MarketQuery } from './list-markets.ts';
import { type MarketDetails, type PolymarketMarket, toMarketSetup, toPolymarketMarket } from './market.ts';
import { MarketTable } from './market-table.ts';

export interface PolymarketDirectoryOptions {
  readonly http: HttpClient;
  /** Such as `https://gamma-api.polymarket.com`. */
  readonly gammaUrl: string;
  /** Such as `https://clob.polymarket.com`. */
  readonly clobUrl: string;
  readonly log: Log;
}

interface ParsedMarket extends ListedMarket {
  readonly listing: PolymarketListing;
}

const DEFAULT_LIMIT = 200;
/** Largest number of markets to read for a filter that Gamma cannot apply. */
const MAX_SEARCHED = 2_000;
const CONCURRENCY = 8;
const CONDITION = /^0x[0-9a-f]{64}$/i;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MICRO_USD_PER_DOLLAR = 1_000_000;

export class PolymarketDirectory implements MarketDirectory {
  readonly #options: PolymarketDirectoryOptions;
  readonly #clob: ClobReader;
  readonly #conditions = new Map<string, string>();
  readonly #markets = new Map<string, PolymarketMarket>();
  readonly #loggedUnreadable = new Set<string>();
  readonly table = new MarketTable();

  constructor(options: PolymarketDirectoryOptions) {
    this.#options = options;
    this.#clob = new ClobReader(options.http, options.clobUrl);
  }

  /** Returns a selected market. @param id internal id */
  market(id: string): PolymarketMarket | undefined {
    return this.#markets.get(id);
  }

  isId(text: string): boolean {
    return CONDITION.test(text) || UUID.test(text);
  }

  async select(
    { ids = [], slugs = [], filter }: Selection,
    numbers: SelectionNumbers = {},
  ): Promise<readonly MarketSetup[]> {
    const conditions = ids.map((id) => this.#condition(id));
    const byId = await this.#findByNames(conditions, 'markets.ids');
    const named = [...byId, ...(await this.#findByNames(slugs, 'markets.slugs'))];
    for (const each of named) {
      const problem = findUnmetRequirement(each);
      if (problem !== undefined) throw new InputFault('markets', displayName(each), problem);
    }
    const filtered =
      filter === undefined ? [] : (await this.#findByFilter(filter)).filter((each) => this.#isUsable(each));
    const required = new Set(named.map(({ record }) => record.market));
    const details = await this.#readDetails([...named, ...filtered], (problem, { record }) => {
      if (required.has(record.market)) throw problem;
      this.#options.log.warn({ market: record.market, err: problem }, 'polymarket: a market is left out');
    });
    if (details.length === 0)
      throw new InputFault('markets', 'a selection without markets', 'ids, slugs or a filter that match markets');
    let nextNumber: number = numbers.first ?? 0;
    return details.map((each) => {
      const known = numbers.known?.get(polymarketMarketId(each.record.market));
      const number = known ?? unchecked.market(nextNumber);
      if (known === undefined) nextNumber += 1;
      return this.#addSelected(each, number);
    });
  }

  /** Finds markets of an earlier run by slug, because the internal id does not give the condition id. */
  async readKnown(markets: readonly MarketInfo[]): Promise<KnownMarkets> {
    const bad: BadMarket[] = [];
    const listed: ParsedMarket[] = [];
    for (const { id, slug } of markets) {
      const found = await this.#findReadable([slug], (_, problem) => bad.push({ id, problem }));
      listed.push(...found.filter(({ record }) => polymarketMarketId(record.market) === id));
    }
    const details = await this.#readDetails(listed, ({ message }, { record }) =>
      bad.push({ id: polymarketMarketId(record.market), problem: message }),
    );
    const found = details.flatMap((each) => {
      const info = markets.find(({ id }) => id === polymarketMarketId(each.record.market));
      return info === undefined ? [] : [this.#addSelected(each, info.market)];
    });
    return { found, bad };
  }

  async candidates(
    filter: Pick<MarketSelector, 'category' | 'topic'> & { readonly limit: number },
    alsoIds: Iterable<string> = [],
  ): Promise<readonly MarketCandidate[]> {
    const open = (await this.#findByFilter(filter)).filter((each) => this.#isUsable(each));
    const conditions = [...alsoIds].flatMap((id) => this.#conditions.get(id) ?? []);
    const others = await this.#findReadable(conditions, (market, problem) =>
      this.#options.log.warn({ market, problem }, 'polymarket: a market cannot be read and is skipped'),
    );
    const markets = new Map([...open, ...others].map((each) => [each.record.market, each]));
    return [...markets.values()].map(({ record, listing }) => ({
      id: polymarketMarketId(record.market),
      slug: record.slug ?? record.market,
      isOpen: !listing.isClosed,
      acceptsOrders: listing.acceptsOrders,
      category: record.category,
      tags: [],
      // Micro-USD, rounded **down**.
      volume: Math.floor(listing.volume * MICRO_USD_PER_DOLLAR),
      spreadBps: listing.spreadBps,
      resolvesAt: record.endsAt,
    }));
  }

  /**
   * Reads the winner from Gamma: a token, or `split`. Returns undefined before the end, for an unlisted market, and for
   * an unreadable market, which is logged once.
   * @throws Fault LINK, VENUE
   */
  async readWinner(condition: string): Promise<string | undefined> {
    const { http, gammaUrl, log } = this.#options;
    const { markets, unreadable } = await findMarkets(http, gammaUrl, { names: [condition], tag: undefined, max: 1 });
    const [bad] = unreadable;
    if (bad !== undefined && !this.#loggedUnreadable.has(condition)) {
      this.#loggedUnreadable.add(condition);
      log.warn({ market: condition, problem: bad.problem }, 'polymarket: the winner of a market cannot be read');
    }
    return markets[0]?.record.winner;
  }

  /** Converts an id to a condition id. @throws InputFault for the internal id of a market that was not read before */
  #condition(id: string): string {
    if (CONDITION.test(id)) return id.toLowerCase();
    const condition = this.#conditions.get(id.toLowerCase());
    if (condition !== undefined) return condition;
    throw new InputFault('markets.ids', id, 'a condition id (0x and 64 hex digits) of a market that Polymarket lists');
  }

  /**
   * Finds markets in the order of `names`, each once.
   * @param names either slugs or condition ids, because Gamma requires a market to match both
   */
  async #findByNames(names: readonly string[], field = 'market'): Promise<readonly ParsedMarket[]> {
    if (names.length === 0) return [];
    const found = new Map<string, ParsedMarket>();
    for (const market of await this.#list({ names, field, tag: undefined, max: names.length })) {
      const each = { ...market, listing: readListing(market) };
      for (const name of getNames(each.record)) found.set(name, each);
    }
    return [...new Set(names.flatMap((name) => found.get(name.toLowerCase()) ?? []))];
  }

  /** Like `#findByNames`, but skips unlisted and unreadable markets. If there are any, reads each market separately. */
  async #findReadable(
    names: readonly string[],
    onBad: (name: string, problem: string) => void,
  ): Promise<readonly ParsedMarket[]> {
    try {
      return await this.#findByNames(names);
    } catch (fault) {
      if (!(fault instanceof Fault) || fault.code === 'LINK') throw fault;
      const [only = '', ...more] = names;
      if (more.length === 0) {
        onBad(only, fault.message);
        return [];
      }
    }
    const found: ParsedMarket[] = [];
    for (const name of names) found.push(...(await this.#findReadable([name], onBad)));
    return found;
  }

  /** Finds markets that match a filter. `category` is a Gamma category, and `topic` the id of a Gamma tag. */
  async #findByFilter(filter: MarketSelector): Promise<readonly ParsedMarket[]> {
    const { category, topic, search, status, limit = DEFAULT_LIMIT } = filter;
    if (status !== undefined && status !== 'OPEN')
      throw new InputFault('markets.filter.status', status, 'OPEN: Polymarket lists only open markets');
    const isSearched = category !== undefined || search !== undefined;
    const listed = await this.#list({ names: [], tag: topic, max: isSearched ? MAX_SEARCHED : limit });
    const readable = listed.flatMap((market) => {
      const listing = tryRead(readPolymarketListing, market.json);
      return listing === undefined ? [] : [{ ...market, listing }];
    });
    const contains = (text: string | undefined, part: string): boolean =>
      text?.toLowerCase().includes(part.toLowerCase()) ?? false;
    const matches = ({ record }: ParsedMarket): boolean =>
      (category === undefined || record.category?.toLowerCase() === category.toLowerCase()) &&
      (search === undefined || contains(record.slug, search) || contains(record.question, search));
    return readable.filter(matches).slice(0, limit);
  }

  async #list(query: MarketQuery): Promise<readonly ListedMarket[]> {
    const { http, gammaUrl } = this.#options;
    const listed = await listMarkets(http, gammaUrl, query);
    for (const { record } of listed) this.#conditions.set(polymarketMarketId(record.market), record.market);
    return listed;
  }

  #isUsable(each: ParsedMarket): boolean {
    const problem = findUnmetRequirement(each);
    if (problem !== undefined)
      this.#options.log.debug({ market: displayName(each), expected: problem }, 'polymarket: a market is left out');
    return problem === undefined;
  }

  /** Reads the terms of markets, each once. @param onUnusable handles a market that cannot be used */
  async #readDetails(
    listed: readonly ParsedMarket[],
    onUnusable: (problem: Fault, market: ParsedMarket) => void,
  ): Promise<readonly MarketDetails[]> {
    const markets = [...new Map(listed.map((each) => [each.record.market, each])).values()];
    const details: MarketDetails[] = [];
    for (const batch of batches(markets, CONCURRENCY)) {
      const results = await Promise.all(batch.map((each) => this.#readTerms(each)));
      for (const [index, each] of batch.entries()) {
        const terms = results[index];
        if (terms instanceof Fault) onUnusable(terms, each);
        else if (terms !== undefined) details.push({ record: each.record, listing: each.listing, terms });
      }
    }
    return details;
  }

  async #readTerms({ record: { market, assets }, listing }: ParsedMarket): Promise<MarketDetails['terms'] | Fault> {
    try {
      const terms = await this.#clob.terms(market);
      if (terms === undefined)
        return new Fault('VENUE', `the CLOB does not know ${market} yet. Try again later`, { retryable: true });
      // `isNegRisk` selects the contract for which orders are signed.
      if (terms.isNegRisk !== listing.isNegRisk)
        return new Fault('VENUE', `Gamma and the CLOB disagree on whether ${market} is neg-risk. Leave the market out`);
      if (!terms.assets.every((asset) => assets.includes(asset)))
        return new Fault('VENUE', `Gamma and the CLOB name different tokens of ${market}. Leave the market out`);
      return terms;
    } catch (fault) {
      if (fault instanceof Fault) return fault;
      throw fault;
    }
  }

  #addSelected(details: MarketDetails, number: MarketNo): MarketSetup {
    const market = toPolymarketMarket(details, number);
    this.#markets.set(market.info.id, market);
    const { info, condition, tokens, isNegRisk } = market;
    this.table.add({ id: info.id, condition, tokens, isNegRisk });
    return toMarketSetup(market, details);
  }
}

/** Returns the requirement that a market does not meet; undefined for a usable market. */
function findUnmetRequirement({ listing, record }: ParsedMarket): string | undefined {
  if (listing.isAugmented)
    return 'a market of an event with fixed outcomes: this event may add outcomes, which changes the meaning of Other';
  if (listing.isNegRisk && record.negRiskEvent === undefined)
    return 'a neg-risk market with the id of its event: risk limits count the markets of an event together';
  if (listing.version !== 'v1') return 'a market of version v1: Protocol V2 is not supported yet';
  if (!listing.hasBook) return 'a market with an order book: this one has none';
  return listing.isClosed ? 'a market that still trades: this one is closed' : undefined;
}

/** @throws Fault VENUE that names the unreadable field */
function readListing(market: ListedMarket): PolymarketListing {
  try {
    return readPolymarketListing(market.json);
  } catch (cause) {
    if (!(cause instanceof InputFault)) throw cause;
    const problem = `Gamma's entry of ${displayName(market)} cannot be read (${cause.message})`;
    throw new Fault('VENUE', `${problem}. Leave the market out`, { cause });
  }
}

function displayName({ record }: ListedMarket): string {
  return record.slug ?? record.market;
}
