/** Parses queries, bodies and cursors, and creates refusals in Polymarket's form. */
import type { z } from 'zod';
import { Fault } from '../../domain/index.ts';
import { parseJson } from '../../network/index.ts';
import { WireFault, type WireFaultCode } from '../../protocol/index.ts';
import { POLYMARKET_ERRORS } from '../../protocol/polymarket/index.ts';

export const END_CURSOR = 'LTE=';
const FIRST_CURSOR = 'MA==';
const STATUSES: Readonly<Record<WireFaultCode, number>> = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  INVALID: 400,
  RATE_LIMITED: 429,
  INTERNAL: 500,
};
export const PAGE_SIZE = 100;

/** Parses JSON. @throws PolymarketRefusal */
export function parseBody(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    throw badRequest(POLYMARKET_ERRORS.badPayload);
  }
}

/** Parses a URL's query. Joins the values of a repeated parameter with commas. */
export function parseQuery(search: string): Readonly<Record<string, string | undefined>> {
  if (search === '') return {};
  const values = Map.groupBy(new URLSearchParams(search), ([key]) => key);
  return Object.fromEntries(Array.from(values, ([key, pairs]) => [key, pairs.map(([, value]) => value).join()]));
}

/** @throws PolymarketRefusal */
export function readOr400<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw badRequest(`Invalid payload: ${parsed.error.issues[0]?.path.join('.') ?? ''}`);
  return parsed.data;
}

/** Returns the position that a cursor encodes; 0 for the first page. @throws PolymarketRefusal for an invalid cursor */
export function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined || cursor === '' || cursor === FIRST_CURSOR) return 0;
  const text = Buffer.from(cursor, 'base64').toString('latin1');
  // A cursor of `/data/trades` is the id of a fill.
  if (!/^\d{1,15}$/.test(text)) throw badRequest('Invalid next_cursor');
  return Number(text);
}

/** Cuts a page out of a complete list. */
export function toPage<Row>(rows: readonly Row[], offset: number) {
  const data = rows.slice(offset, offset + PAGE_SIZE);
  const next = offset + data.length;
  return { limit: PAGE_SIZE, count: data.length, next_cursor: next < rows.length ? toCursor(next) : END_CURSOR, data };
}

export const EMPTY_PAGE = { data: [], next_cursor: END_CURSOR, limit: PAGE_SIZE, count: 0 };

export function toCursor(position: number): string {
  return Buffer.from(String(position)).toString('base64');
}

export class PolymarketRefusal extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, string | number>>;
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail additional members of the body */
  constructor(
    status: number,
    error: string,
    detail: Readonly<Record<string, string | number>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(error);
    this.name = 'PolymarketRefusal';
    this.status = status;
    this.body = { error, ...detail };
    this.headers = headers;
  }
}

export function badRequest(error: string): PolymarketRefusal {
  return new PolymarketRefusal(400, error);
}

export function tooManyRequests(error: string, retryAfterSeconds: number, headers: object = {}): PolymarketRefusal {
  const wait = { 'retry-after': String(retryAfterSeconds) };
  return new PolymarketRefusal(429, error, { retry_after_seconds: retryAfterSeconds }, { ...headers, ...wait });
}

export function unauthorized(): PolymarketRefusal {
  return new PolymarketRefusal(401, POLYMARKET_ERRORS.badApiKey);
}

export function noBook(): PolymarketRefusal {
  return new PolymarketRefusal(404, POLYMARKET_ERRORS.noBook);
}

/** Returns the refusal that answers an error; undefined for an internal error. */
export function toRefusal(error: unknown): PolymarketRefusal | undefined {
  if (error instanceof PolymarketRefusal) return error;
  if (error instanceof WireFault) return new PolymarketRefusal(STATUSES[error.code], error.message);
  if (error instanceof Fault && error.code === 'EXCHANGE_CLOSING')
    return new PolymarketRefusal(425, POLYMARKET_ERRORS.restarting);
  return undefined;
}
