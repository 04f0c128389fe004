/** Reads past trades and prices from Polymarket's public APIs. */
import { z } from 'zod';
import { type Clock, sleep } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import { type HttpClient, tryParseJson } from '../../network/index.ts';

const ANSWER_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 16 * 1_048_576;
const PAGE_SIZE = 1_000;
/** Enough for a hundred million trades. */
const MAX_PAGES = 100_000;
const RETRY_PAUSES_MS = [1_000, 2_000, 4_000, 8_000] as const;

export interface HistorySource {
  readonly http: HttpClient;
  readonly clock: Clock;
}

const tradePage = z.object({
  data: z.array(z.looseObject({ condition_id: z.string() })).max(PAGE_SIZE),
  pagination: z.object({ next_cursor: z.string().max(10_000).nullish() }),
});
/** Fields of a trade that are kept. Personal data (accounts, names, pictures) is left out. */
const TRADE_FIELDS = ['condition_id', 'token_id', 'side', 'size', 'price', 'timestamp', 'transaction_hash'] as const;

/**
 * Yields all trades of a market, each once, from the taker's side. Pages go from the newest to the oldest. Each page is
 * sorted from the oldest to the newest.
 * @param base URL of the Data API, such as `https://data-api.polymarket.com`
 * @throws Fault LINK without an answer, VENUE for an unexpected answer
 */
export async function* tradePages(
  source: HistorySource,
  base: string,
  market: string,
): AsyncGenerator<readonly Readonly<Record<string, unknown>>[]> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const url = buildUrl(base, 'v2/trades', { condition: market, taker_only: 'true', limit: String(PAGE_SIZE) });
    if (cursor !== undefined) url.searchParams.set('cursor', cursor);
    const { data, pagination } = await read(source, url, tradePage, 'the Data API');
    // A trade that concerns several markets may be listed with the id of another market.
    const trades = data.filter(({ condition_id: id }) => id.toLowerCase() === market.toLowerCase());
    yield trades.map((trade) => Object.fromEntries(TRADE_FIELDS.map((field) => [field, trade[field]]))).reverse();
    const next = pagination.next_cursor ?? '';
    if (next === '') return;
    if (next === cursor) break;
    cursor = next;
  }
  throw new Fault('VENUE', `${new URL(base).origin} keeps sending the same page of trades. Try again later`);
}

const priceList = z.object({
  history: z.array(z.object({ t: z.int().min(0).max(253_402_300_799), p: z.number().min(0).max(1) })).max(1_000_000),
});

export interface PricePoint {
  /** Seconds since 1970. */
  readonly t: number;
  /** Dollars, 0..1: the mid of the book, or the last trade where the book is wide. */
  readonly p: number;
}

/**
 * Reads the prices of a token, oldest first, a minute apart where the venue still has that resolution.
 * @param base URL of the CLOB, such as `https://clob.polymarket.com`
 * @throws Fault LINK without an answer, VENUE for an unexpected answer
 */
export async function priceHistory(source: HistorySource, base: string, token: string): Promise<readonly PricePoint[]> {
  const url = buildUrl(base, 'prices-history', { market: token, interval: 'max', fidelity: '1' });
  const { history } = await read(source, url, priceList, 'the CLOB');
  return history.toSorted((one, other) => one.t - other.t);
}

function buildUrl(base: string, path: string, query: Readonly<Record<string, string>>): URL {
  return new URL(`${base.replace(/\/$/, '')}/${path}?${new URLSearchParams(query)}`);
}

/** Sends a request and retries it while the venue is busy or does not answer. */
async function read<S extends z.ZodType>(
  { http, clock }: HistorySource,
  url: URL,
  schema: S,
  apiName: string,
): Promise<z.output<S>> {
  for (let tries = 0; ; tries += 1) {
    const answer = await http.send({ url, timeoutMs: ANSWER_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES });
    const isBusy = answer.type === 'answer' && (answer.status === 429 || answer.status >= 500);
    const isTemporary = isBusy || (answer.type === 'failed' && ['timeout', 'network'].includes(answer.reason));
    const pause = RETRY_PAUSES_MS[tries];
    if (isTemporary && pause !== undefined) {
      const retryAfterMs = answer.type === 'answer' ? (answer.retryAfterMs ?? 0) : 0;
      await sleep(clock, Math.max(retryAfterMs, pause));
      continue;
    }
    if (answer.type === 'failed')
      throw new Fault('LINK', `${answer.problem}. Check the address, or try again later`, { retryable: true });
    const { data, error } = schema.safeParse(answer.status === 200 ? tryParseJson(answer.text) : undefined);
    if (data !== undefined) return data;
    const problem = answer.status === 200 ? `unexpected data (${describeIssue(error)})` : `${answer.status}`;
    throw new Fault('VENUE', `${url.origin} answered ${problem}. Check that this is the address of ${apiName}`);
  }
}

function describeIssue(error: z.ZodError | undefined): string {
  const [issue] = error?.issues ?? [];
  return issue === undefined ? 'no JSON' : `${issue.path.join('.')}: ${issue.message}`.slice(0, 200);
}
