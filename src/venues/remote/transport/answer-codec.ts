/** From what came over HTTP, or inside a `next` message, to an answer. */

import type { WireError } from '../../../protocol/index.ts';
import type { Answer } from './answer.ts';

/** An HTTP answer, read to its end. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** ms of the header `Retry-After`, where there is one in seconds. */
  readonly retryAfterMs: number | undefined;
}

/** `data` and `errors` as they came. */
export interface GraphqlResult {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly WireError[];
}

const OK = 200;
const TOO_MANY = 429;
const TIMEOUT = 408;
const SERVER = 500;
const SHOWN = 120;
const RATE_LIMITED = /^rate limited: retry in (\d+) ms$/;
const DEFAULT_RETRY_MS = 1_000;

/** What an HTTP answer says. @param where the URL, for people */
export function answerOfHttp<Data>({ status, text, retryAfterMs }: HttpAnswer, where: string): Answer<Data> {
  if (status === TOO_MANY)
    return { type: 'errors', errors: [told(`HTTP 429 of ${where}`)], retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_MS };
  if (status >= SERVER || status === TIMEOUT)
    return { type: 'lost', problem: `HTTP ${status} of ${where}`, sent: true };
  const body = parsed(text);
  if (body === undefined) {
    const problem = `${where} answered ${status} with ${kindOf(text)} instead of JSON: ${beginning(text)}`;
    return { type: 'blocked', problem, status };
  }
  if (status !== OK) {
    const why = body.errors?.[0]?.message ?? beginning(text);
    return { type: 'blocked', problem: `${where} answered ${status}: ${why}`, status };
  }
  return answerOf(body);
}

/** What a result says: an answer where any field has one, or none has and nothing is wrong. */
export function answerOf<Data>(result: GraphqlResult): Answer<Data> {
  const { data, errors } = result;
  if (
    data !== null &&
    data !== undefined &&
    (errors === undefined || errors.length === 0 || Object.values(data).some((field) => field !== null))
  ) {
    return { type: 'data', data: data as Data, errors: errors ?? [] };
  }
  const all = errors ?? [told('an answer with neither data nor errors')];
  const retryAfterMs = retryOf(all);
  return { type: 'errors', errors: all, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** `data` as the document's own type; null where nothing could be told. */
export function dataOf<Data>({ data }: GraphqlResult): Data | null {
  return (data ?? null) as Data | null;
}

/** ms after which a request may be asked again that was refused by the `read` bucket; undefined for all other errors. */
export function retryOf(errors: readonly WireError[]): number | undefined {
  const digits = RATE_LIMITED.exec(errors[0]?.message ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function parsed(text: string): GraphqlResult | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const isResult = typeof body === 'object' && body !== null && ('data' in body || 'errors' in body);
    return isResult ? (body as GraphqlResult) : undefined;
  } catch {
    return undefined;
  }
}

function told(message: string): WireError {
  return { message, path: [] };
}

function kindOf(text: string): string {
  if (text.trim() === '') return 'nothing';
  return /^\s*<(!doctype html|html)/i.test(text) ? 'an HTML page' : 'something';
}

function beginning(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}
