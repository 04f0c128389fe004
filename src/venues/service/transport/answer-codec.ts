/**
 * Decodes HTTP answers and messages of graphql-transport-ws. Nothing here throws, whatever a venue sends.
 *
 * HOT: every frame of a venue passes `readMessage` (bench/tick-to-order.ts).
 */
import {
  boundedWait,
  getMember,
  type HttpAnswer,
  NETWORK_LIMITS,
  shortLine,
  tryParseJson,
} from '../../../network/index.ts';
import {
  badFieldText,
  findBadField,
  type Operation,
  removeBadItems,
  type Selection,
  type WireError,
} from '../../../protocol/index.ts';
import type { Answer, MalformedAnswer } from './answer.ts';
import type { CheckedList, RequestOptions } from './transport-options.ts';

/** `data` and `errors` of a GraphQL answer. The content of `data` is unchecked. */
export interface GraphqlResult {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly WireError[];
}

export type ServerMessage =
  | { readonly type: 'next'; readonly id: string; readonly result: GraphqlResult }
  /** A `next` message without a GraphQL result. */
  | { readonly type: 'malformed'; readonly id: string }
  | { readonly type: 'error'; readonly id: string; readonly errors: readonly WireError[] }
  | { readonly type: 'complete'; readonly id: string }
  | { readonly type: 'ping' | 'connection_ack' | 'other' };

/** Defines how `data` is checked before it is read. */
export interface AnswerShape {
  /** Name for messages, such as `placeOrder`. */
  readonly name: string;
  /** Undefined when the caller checks the answer. */
  readonly selection: Selection | undefined;
  /** Whether the operator replaced the text of the operation. */
  readonly isOverridden: boolean;
  readonly list?: CheckedList | undefined;
}

const OK = 200;
const TOO_MANY_REQUESTS = 429;
const REQUEST_TIMEOUT = 408;
const SERVER_ERROR = 500;
const RATE_LIMITED = /^rate limited: retry in (\d+) ms$/;
const DEFAULT_RETRY_MS = 1_000;
const SHOWN_BYTES = 1_000;

/** Converts any parsed JSON to a message. Returns undefined for JSON that is not a message. */
export function readMessage(message: unknown): ServerMessage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { id, type, payload } = message as Readonly<Partial<Record<'id' | 'type' | 'payload', unknown>>>;
  if (typeof id === 'string') {
    if (type === 'next') {
      const result = readResult(payload);
      return result === undefined ? { type: 'malformed', id } : { type, id, result };
    }
    if (type === 'error') return { type, id, errors: readErrors(payload) };
    if (type === 'complete') return { type, id };
  }
  if (typeof type !== 'string') return undefined;
  return type === 'ping' || type === 'connection_ack' ? { type } : { type: 'other' };
}

export function frameStart(data: Buffer): string {
  return shortLine(data.toString('utf8', 0, SHOWN_BYTES));
}

/** Decodes an HTTP answer. @param where the URL, for messages */
export function decodeHttpAnswer<Data>(
  { status, text, retryAfterMs }: Pick<HttpAnswer, 'status' | 'text' | 'retryAfterMs'>,
  where: string,
  shape: AnswerShape,
): Answer<Data> {
  if (status === TOO_MANY_REQUESTS) {
    const errors = [toWireError(`HTTP 429 of ${where}`)];
    return { type: 'errors', errors, retryAfterMs: retryAfterMs ?? DEFAULT_RETRY_MS };
  }
  if (status >= SERVER_ERROR || status === REQUEST_TIMEOUT)
    return { type: 'lost', problem: `HTTP ${status} of ${where}`, isSent: true };
  const result = readResult(tryParseJson(text));
  if (result === undefined) {
    const problem = `${where} answered ${status} with ${describeContent(text)} instead of JSON: ${shortLine(text)}`;
    return { type: 'blocked', problem, status };
  }
  if (status !== OK) {
    const why = result.errors?.[0]?.message ?? shortLine(text);
    return { type: 'blocked', problem: `${where} answered ${status}: ${why}`, status };
  }
  return toAnswer(result, shape);
}

/** Converts a result. Uses `data` if the result has no errors, or if any field of `data` is not null. */
export function toAnswer<Data>(result: GraphqlResult, shape: AnswerShape): Answer<Data> {
  const { data, errors } = result;
  if (data !== null && data !== undefined && (!errors?.length || Object.values(data).some((field) => field !== null)))
    return findMalformed(data, shape) ?? { type: 'data', data: data as Data, errors: errors ?? [] };
  const reported = errors ?? [toWireError('an answer with neither data nor errors')];
  const retryAfterMs = findRetryAfterMs(reported);
  return { type: 'errors', errors: reported, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Returns the event of a subscription. `data` is null when the venue could not resolve the event. */
export function toEvent<Data>(
  { data }: GraphqlResult,
  shape: AnswerShape,
): { readonly data: Data | null } | MalformedAnswer {
  if (data === null || data === undefined) return { data: null };
  return findMalformed(data, shape) ?? { data: data as Data };
}

export function answerShape(
  { field, name, answer }: Operation<unknown, never>,
  overridden: ReadonlyMap<string, string>,
  { isUnchecked = false, list }: Pick<RequestOptions, 'isUnchecked' | 'list'> = {},
): AnswerShape {
  return { name: field, selection: isUnchecked ? undefined : answer, isOverridden: overridden.has(name), list };
}

/** HOT: does not copy a result without errors. Returns undefined when `value` is not a GraphQL result. */
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

/** Returns at least one error, with bounded length and checked types. */
function readErrors(errors: unknown): readonly WireError[] {
  const list: readonly unknown[] = Array.isArray(errors) ? errors.slice(0, NETWORK_LIMITS.errors) : [errors];
  return list.length === 0 ? [toWireError('an error without a message')] : list.map(readError);
}

/** Returns the wait in ms that the first rate-limit error states; undefined without a rate-limit error. */
export function findRetryAfterMs(errors: readonly WireError[]): number | undefined {
  const digits = errors.map(({ message }) => RATE_LIMITED.exec(message)?.[1]).find((each) => each !== undefined);
  return digits === undefined ? undefined : boundedWait(Number(digits));
}

function findMalformed(
  data: object,
  { name, selection, isOverridden, list }: AnswerShape,
): MalformedAnswer | undefined {
  if (selection !== undefined && list !== undefined)
    for (const { item, bad } of removeBadItems(selection, data, list.path, { isOverridden }))
      list.onBad(item, badFieldText(bad));
  const found = selection === undefined ? undefined : findBadField(selection, data, { isOverridden });
  return found === undefined ? undefined : { type: 'malformed', problem: `${name}: ${badFieldText(found)}` };
}

function readError(error: unknown): WireError {
  const [message, path] = [getMember(error, 'message'), getMember(error, 'path')];
  const steps: readonly unknown[] = Array.isArray(path) ? path.slice(0, NETWORK_LIMITS.errors) : [];
  return {
    message: typeof message === 'string' ? shortLine(message, NETWORK_LIMITS.errorText) : 'an error without a message',
    path: steps
      .filter((step) => typeof step === 'string' || typeof step === 'number')
      .map((step) => shortLine(`${step}`)),
  };
}

function toWireError(message: string): WireError {
  return { message, path: [] };
}

function describeContent(text: string): string {
  if (text.trim() === '') return 'nothing';
  return /^\s*<(!doctype html|html)/i.test(text) ? 'an HTML page' : 'something';
}
