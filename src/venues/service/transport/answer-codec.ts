/**
 * From what came over HTTP, or as a message of graphql-transport-ws, to an answer. Nothing here throws, whatever a venue sends.
 *
 * HOT: every frame of a venue passes `readMessage` (bench/tick-to-order.ts).
 */
import {
  boundedWait,
  type HttpAnswer,
  type HttpFailure,
  NETWORK_LIMITS,
  shownText,
  tryParseJson,
} from '../../../network/index.ts';
import {
  badFieldText,
  findBadField,
  type Operation,
  type Selection,
  takeOutBadItems,
  type WireError,
} from '../../../protocol/index.ts';
import type { Answer, Lost, Malformed } from './answer.ts';
import type { CheckedList } from './transport-port.ts';

/** `data` and `errors` of a GraphQL answer. `data` is an object of any content. */
export interface GraphqlResult {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly WireError[];
}

/** A message of graphql-transport-ws, as a server sends it. */
export type ServerMessage =
  | { readonly type: 'next'; readonly id: string; readonly result: GraphqlResult }
  /** A `next` whose payload is no GraphQL result. */
  | { readonly type: 'malformed'; readonly id: string }
  | { readonly type: 'error'; readonly id: string; readonly errors: readonly WireError[] }
  | { readonly type: 'complete'; readonly id: string }
  | { readonly type: 'ping' | 'connection_ack' | 'other' };

/** How `data` is checked before it is read. */
export interface AnswerShape {
  /** For people, such as `placeOrder`. */
  readonly name: string;
  /** Undefined where the caller looks at it. */
  readonly selection: Selection | undefined;
  /** The document is an operator's own. */
  readonly isAdapted: boolean;
  readonly list?: CheckedList | undefined;
}

const OK = 200;
const TOO_MANY = 429;
const TIMEOUT = 408;
const SERVER = 500;
const RATE_LIMITED = /^rate limited: retry in (\d+) ms$/;
const DEFAULT_RETRY_MS = 1_000;
const SHOWN_BYTES = 1_000;

/** @param message anything that came as JSON @returns undefined for what is no message at all */
export function readMessage(message: unknown): ServerMessage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { id, type, payload } = message as {
    readonly id?: unknown;
    readonly type?: unknown;
    readonly payload?: unknown;
  };
  if (typeof id === 'string') {
    switch (type) {
      case 'next': {
        const result = readResult(payload);
        return result === undefined ? { type: 'malformed', id } : { type, id, result };
      }
      case 'error':
        return { type, id, errors: readErrors(payload) };
      case 'complete':
        return { type, id };
      default:
    }
  }
  if (typeof type !== 'string') return undefined;
  return type === 'ping' || type === 'connection_ack' ? { type } : { type: 'other' };
}

/** How a frame begins, for messages about it. */
export function frameStart(data: Buffer): string {
  return shownText(data.toString('utf8', 0, SHOWN_BYTES));
}

/** What an HTTP answer says. @param where the URL, for people */
export function answerOfHttp<Data>(
  { status, text, retryAfterMs }: Pick<HttpAnswer, 'status' | 'text' | 'retryAfterMs'>,
  where: string,
  shape: AnswerShape,
): Answer<Data> {
  if (status === TOO_MANY)
    return {
      type: 'errors',
      errors: [errorOf(`HTTP 429 of ${where}`)],
      retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_MS,
    };
  if (status >= SERVER || status === TIMEOUT)
    return { type: 'lost', problem: `HTTP ${status} of ${where}`, sent: true };
  const result = readResult(tryParseJson(text));
  if (result === undefined) {
    const problem = `${where} answered ${status} with ${kindOf(text)} instead of JSON: ${shownText(text)}`;
    return { type: 'blocked', problem, status };
  }
  if (status !== OK) {
    const why = result.errors?.[0]?.message ?? shownText(text);
    return { type: 'blocked', problem: `${where} answered ${status}: ${why}`, status };
  }
  return answerOf(result, shape);
}

/** What it means that an HTTP request was not answered. A redirect counts as an outage: proxies redirect during maintenance. */
export function answerOfFailure({ problem, sent }: HttpFailure): Lost {
  return { type: 'lost', problem, sent };
}

/** What a result says: an answer where any field has one, or none has and nothing is wrong. */
export function answerOf<Data>(result: GraphqlResult, shape: AnswerShape): Answer<Data> {
  const { data, errors } = result;
  if (
    data !== null &&
    data !== undefined &&
    (errors === undefined || errors.length === 0 || Object.values(data).some((field) => field !== null))
  ) {
    return malformed(data, shape) ?? { type: 'data', data: data as Data, errors: errors ?? [] };
  }
  const all = errors ?? [errorOf('an answer with neither data nor errors')];
  const retryAfterMs = retryOf(all);
  return { type: 'errors', errors: all, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** `data` of a message of a subscription; null where the venue could not resolve the event. */
export function eventOf<Data>({ data }: GraphqlResult, shape: AnswerShape): { readonly data: Data | null } | Malformed {
  if (data === null || data === undefined) return { data: null };
  return malformed(data, shape) ?? { data: data as Data };
}

/** What is looked at in the answers of an operation. @param isUnchecked the caller does it all */
export function shapeOf(
  { field, name, answer }: Operation<unknown, never>,
  overridden: ReadonlyMap<string, string>,
  isUnchecked: boolean,
): AnswerShape {
  return { name: field, selection: isUnchecked ? undefined : answer, isAdapted: overridden.has(name) };
}

/** Undefined for what is no GraphQL result at all. HOT: what comes without errors is passed on as it is (bench/tick-to-order.ts). */
function readResult(value: unknown): GraphqlResult | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { data, errors } = value as { readonly data?: unknown; readonly errors?: unknown };
  if (typeof data !== 'object' || Array.isArray(data)) {
    if (data !== undefined || errors === undefined || errors === null) return undefined;
  }
  if (errors === undefined) return value as GraphqlResult;
  const known = { data: (data ?? null) as NonNullable<GraphqlResult['data']> | null };
  return errors === null ? known : { ...known, errors: readErrors(errors) };
}

/** Errors as they may be shown and compared: bounded, and of the types that they have to be. At least one. */
function readErrors(errors: unknown): readonly WireError[] {
  const list: readonly unknown[] = Array.isArray(errors) ? errors.slice(0, NETWORK_LIMITS.errors) : [errors];
  return list.length === 0 ? [errorOf('an error without a message')] : list.map(readError);
}

/** ms after which a request that the `read` bucket refused may be repeated; undefined for all other errors. */
export function retryOf(errors: readonly WireError[]): number | undefined {
  const digits = RATE_LIMITED.exec(errors[0]?.message ?? '')?.[1];
  return digits === undefined ? undefined : boundedWait(Number(digits));
}

function malformed(data: object, { name, selection, isAdapted, list }: AnswerShape): Malformed | undefined {
  if (selection !== undefined && list !== undefined)
    for (const { item, bad } of takeOutBadItems(selection, data, list.path, { isAdapted }))
      list.bad(item, badFieldText(bad));
  const found = selection === undefined ? undefined : findBadField(selection, data, { isAdapted });
  return found === undefined ? undefined : { type: 'malformed', problem: `${name}: ${badFieldText(found)}` };
}

function readError(error: unknown): WireError {
  const { message, path } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly message?: unknown;
    readonly path?: unknown;
  };
  const steps: readonly unknown[] = Array.isArray(path) ? path.slice(0, NETWORK_LIMITS.errors) : [];
  return {
    message: typeof message === 'string' ? shownText(message, NETWORK_LIMITS.errorText) : 'an error without a message',
    path: steps
      .filter((step) => typeof step === 'string' || typeof step === 'number')
      .map((step) => shownText(`${step}`)),
  };
}

function errorOf(message: string): WireError {
  return { message, path: [] };
}

function kindOf(text: string): string {
  if (text.trim() === '') return 'nothing';
  return /^\s*<(!doctype html|html)/i.test(text) ? 'an HTML page' : 'something';
}
