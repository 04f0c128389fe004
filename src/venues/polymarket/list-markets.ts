/** Reads lists of markets from Gamma, Polymarket's API of market metadata (docs/spec/polymarket.md#discovery). */
import { Fault, InputFault } from '../../domain/index.ts';
import { getMember, type HttpClient, tryParseJson } from '../../network/index.ts';
import { type PolymarketMarketRecord, readPolymarketMarketRecord } from '../../protocol/polymarket/index.ts';

const PAGE_SIZE = 100;
/** Maximum number of condition ids in a request. */
const MAX_NAMES = 100;
const ANSWER_TIMEOUT_MS = 20_000;
const MAX_PAGE_BYTES = 16 * 1_048_576;
const MAX_PAGES = 200;

export interface MarketQuery {
  /** Slugs or condition ids. With names, `max` is ignored. */
  readonly names: readonly string[];
  /** Input field of the names, for error messages. Default `market`. */
  readonly field?: string;
  readonly tag: string | undefined;
  /** Maximum number of markets, by descending volume of the last 24 hours. */
  readonly max: number;
}

export interface ListedMarket {
  readonly record: PolymarketMarketRecord;
  readonly json: unknown;
}

interface UnreadableMarket {
  readonly json: unknown;
  readonly problem: string;
}

/**
 * Lists markets with two tokens: the named ones, or the most traded first. Unreadable markets are left out.
 * @param base URL of Gamma
 * @throws Fault LINK without an answer and for the statuses 429 and 5xx, VENUE for any other unexpected answer
 * @throws InputFault for a name that Gamma does not list, or whose entry is unreadable
 */
export async function listMarkets(
  http: Pick<HttpClient, 'send'>,
  base: string,
  query: MarketQuery,
): Promise<readonly ListedMarket[]> {
  const { names, field = 'market', max } = query;
  const { markets, unreadable } = await findMarkets(http, base, query);
  const listedNames = new Set(markets.flatMap(({ record }) => getNames(record)));
  const missing = names.find((name) => !listedNames.has(name.toLowerCase()));
  if (missing !== undefined) {
    const bad = unreadable.find(({ json }) => isNamed(json, missing));
    const expected =
      bad === undefined
        ? `the slug or the condition id of a market that ${base} lists`
        : `a market whose entry at ${base} can be read (${bad.problem})`;
    throw new InputFault(field, missing, expected);
  }
  return names.length === 0 ? markets.slice(0, max) : markets;
}

/** Lists markets like `listMarkets`, but leaves out names that Gamma does not list, and names unreadable entries. */
export async function findMarkets(
  http: Pick<HttpClient, 'send'>,
  base: string,
  query: MarketQuery,
): Promise<{ readonly markets: readonly ListedMarket[]; readonly unreadable: readonly UnreadableMarket[] }> {
  const found = new Map<string, ListedMarket>();
  const unreadable: UnreadableMarket[] = [];
  for (const batch of splitNames(query.names)) {
    const listed = await readMarkets(http, base, { ...query, names: batch }, unreadable);
    for (const each of listed) found.set(each.record.market, each);
  }
  return { markets: [...found.values()], unreadable };
}

/** Splits names into lists for one request each: only condition ids or only slugs. Without names, one empty list. */
function splitNames(names: readonly string[]): readonly (readonly string[])[] {
  if (names.length === 0) return [[]];
  const distinct = [...new Set(names)];
  const batches: string[][] = [];
  for (const list of [distinct.filter(isConditionId), distinct.filter((name) => !isConditionId(name))])
    for (let from = 0; from < list.length; from += MAX_NAMES) batches.push(list.slice(from, from + MAX_NAMES));
  return batches;
}

/** Reads pages until all names or `max` markets are found. */
async function readMarkets(
  http: Pick<HttpClient, 'send'>,
  base: string,
  { names, tag, max }: MarketQuery,
  unreadable: UnreadableMarket[],
): Promise<readonly ListedMarket[]> {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const found: ListedMarket[] = [];
  let cursor = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { markets, next } = await readPage(http, buildPageUrl(base, names, tag, cursor));
    for (const json of markets) {
      const record = readRecord(json, (problem) => unreadable.push({ json, problem }));
      if (record === undefined || (wanted.size > 0 && !getNames(record).some((name) => wanted.has(name)))) continue;
      found.push({ record, json });
    }
    if (next === '' || (wanted.size === 0 ? found.length >= max : found.length >= wanted.size)) break;
    cursor = next;
  }
  return found;
}

function buildPageUrl(base: string, names: readonly string[], tag: string | undefined, cursor: string): URL {
  const url = new URL(`${base.replace(/\/$/, '')}/markets/keyset`);
  const { searchParams: query } = url;
  query.set('limit', String(PAGE_SIZE));
  if (names.length === 0) {
    for (const [key, value] of Object.entries({ closed: 'false', order: 'volume24hr', ascending: 'false' }))
      query.set(key, value);
  }
  for (const name of names) query.append(isConditionId(name) ? 'condition_ids' : 'slug', name);
  if (tag !== undefined) query.set('tag_id', tag);
  if (cursor !== '') query.set('after_cursor', cursor);
  return url;
}

function isConditionId(name: string): boolean {
  return /^0x/i.test(name);
}

async function readPage(
  http: Pick<HttpClient, 'send'>,
  url: URL,
): Promise<{ readonly markets: readonly unknown[]; next: string }> {
  const answer = await http.send({ url, timeoutMs: ANSWER_TIMEOUT_MS, maxBytes: MAX_PAGE_BYTES });
  if (answer.type === 'failed')
    throw new Fault('LINK', `${answer.problem}. Check the address, or try again later`, { retryable: true });
  if (answer.status === 429 || answer.status >= 500)
    throw new Fault('LINK', `${url.origin} answered ${answer.status}. Try again later`, { retryable: true });
  const json = answer.status === 200 ? tryParseJson(answer.text) : undefined;
  const [markets, next] = [getMember(json, 'markets'), getMember(json, 'next_cursor') ?? ''];
  if (Array.isArray(markets) && typeof next === 'string') return { markets, next };
  const problem = `${url.origin} answered ${answer.status} without a list of markets`;
  throw new Fault('VENUE', `${problem}. Check that this is the address of Gamma`);
}

function readRecord(json: unknown, onUnreadable: (problem: string) => void): PolymarketMarketRecord | undefined {
  try {
    return readPolymarketMarketRecord(json);
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    onUnreadable(error.message);
    return undefined;
  }
}

/** Returns whether the entry of an unreadable market has this slug or condition id. */
function isNamed(json: unknown, name: string): boolean {
  return ['conditionId', 'slug'].some((key) => String(getMember(json, key)).toLowerCase() === name.toLowerCase());
}

/** Returns the condition id and the slug of a market, lower case. */
export function getNames({ market, slug }: PolymarketMarketRecord): readonly string[] {
  return slug === undefined ? [market.toLowerCase()] : [market.toLowerCase(), slug.toLowerCase()];
}
