/** Reads public data of the CLOB over REST, with bounded time and size. */
import { z } from 'zod';
import { Fault, InputFault } from '../../domain/index.ts';
import { type HttpClient, shortLine, tryParseJson } from '../../network/index.ts';
import {
  type PolymarketBook,
  type PolymarketMarketState,
  type PolymarketTradingTerms,
  readPolymarketEvent,
  readPolymarketMarketState,
  readPolymarketTradingTerms,
} from '../../protocol/polymarket/index.ts';

export const MAX_BOOKS = 50;

const ANSWER_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 16 * 1_048_576;
const NOT_FOUND = 404;

export class ClobReader {
  readonly #http: HttpClient;
  readonly #base: string;

  /** @param base such as `https://clob.polymarket.com` */
  constructor(http: HttpClient, base: string) {
    this.#http = http;
    this.#base = base.replace(/\/$/, '');
  }

  /** Reads terms; undefined for a market that the CLOB does not know (yet). @throws Fault LINK, VENUE */
  terms(condition: string): Promise<PolymarketTradingTerms | undefined> {
    return this.#readMarket(`clob-markets/${condition}`, condition, readPolymarketTradingTerms);
  }

  /** Reads a state; undefined for a market that the CLOB does not know (yet). @throws Fault LINK, VENUE */
  state(condition: string): Promise<PolymarketMarketState | undefined> {
    return this.#readMarket(`markets/${condition}`, condition, readPolymarketMarketState);
  }

  /** Reads books by token. Omits tokens without one. @param tokens at most `MAX_BOOKS` @throws Fault LINK, VENUE */
  async books(tokens: readonly string[]): Promise<ReadonlyMap<string, PolymarketBook>> {
    const body = JSON.stringify(tokens.map((token) => ({ token_id: token })));
    const json = await this.#read('books', body);
    return this.#parse('books', () => {
      if (!Array.isArray(json) || json.length > tokens.length)
        throw new InputFault('', json, 'at most one book per token');
      const books = json.map(readPolymarketEvent).filter((event) => event.type === 'book');
      return new Map(books.map((book) => [book.asset, book]));
    });
  }

  /** Reads the venue's time, seconds since 1970, rounded **down**. @throws Fault LINK, VENUE */
  async time(): Promise<number> {
    const { data } = SECONDS.safeParse(await this.#read('time'));
    if (data === undefined) throw this.#unexpected('time', 'not a number of seconds');
    return data;
  }

  async #readMarket<T extends { readonly market: string }>(
    path: string,
    condition: string,
    read: (json: unknown) => T,
  ): Promise<T | undefined> {
    const json = await this.#read(path);
    if (json === undefined) return undefined;
    const found = this.#parse(path, () => read(json));
    if (found.market !== condition) throw this.#unexpected(path, `the market ${found.market}`);
    return found;
  }

  /** Returns undefined for status 404. */
  async #read(path: string, body?: string): Promise<unknown> {
    const answer = await this.#http.send({
      url: new URL(`${this.#base}/${path}`),
      timeoutMs: ANSWER_TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      ...(body === undefined ? {} : { body }),
    });
    if (answer.type === 'failed') throw new Fault('LINK', answer.problem, { retryable: true });
    if (answer.status === NOT_FOUND) return undefined;
    const json = answer.status === 200 ? tryParseJson(answer.text) : undefined;
    if (json === undefined) throw this.#unexpected(path, `${answer.status} ${shortLine(answer.text)}`);
    return json;
  }

  #parse<T>(path: string, read: () => T): T {
    try {
      return read();
    } catch (fault) {
      if (!(fault instanceof InputFault)) throw fault;
      throw this.#unexpected(path, fault.message);
    }
  }

  #unexpected(path: string, received: string): Fault {
    const problem = `${this.#base}/${path} sent an unexpected answer: ${received}`;
    return new Fault('VENUE', `${problem}. Check that this is the address of the CLOB`, { retryable: true });
  }
}

const SECONDS = z.int().min(0).max(253_402_300_799);
