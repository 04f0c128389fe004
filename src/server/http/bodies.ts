/** Bodies: those of requests are read up to a limit, decompressed and parsed; those of answers are written. */
import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { parseJson } from '../../network/index.ts';
import type { Arguments } from '../graphql/context.ts';
import type { GraphqlRequest } from '../graphql/request.ts';
import type { HeaderBag } from './cors.ts';
import type { UnfinishedBytes } from './per-address-bounds.ts';

/** Most bytes of a body above the limit that are discarded, so that its sender can read the answer. */
const MAX_DISCARDED = 33_554_432;
const FIRST_ROOM = 2_048;

export interface BodyReading {
  readonly most: number;
  readonly unfinished: UnfinishedBytes;
  /** Of the sender; called only when a body comes in several parts. */
  address(): string;
  /** Called once: with the bytes, or with the reason for the refusal. Never when the client disconnects. */
  done(body: Buffer | 'too large' | 'too many'): void;
}

export function readBody(request: IncomingMessage, { most, unfinished, address, done }: BodyReading): void {
  const declared = request.headers['content-length'];
  let body: Buffer | undefined;
  let size = 0;
  let isRefused = false;
  let counted = 0;
  let account: ((change: number) => boolean) | undefined;
  const count = (change: number): boolean => {
    if (account === undefined) {
      account = unfinished.open(address());
      request.once('close', () => count(-counted));
    }
    counted += change;
    return account(change);
  };
  const refuse = (problem: 'too large' | 'too many'): void => {
    isRefused = true;
    body = undefined;
    if (counted > 0) count(-counted);
    done(problem);
  };
  /** One buffer: a list of tiny chunks would take more memory than their bytes. */
  const keep = (chunk: Buffer): void => {
    const before = size - chunk.length;
    if (body === undefined || body.length < size) {
      const wider = Buffer.allocUnsafeSlow(Math.min(most, Math.max(FIRST_ROOM, 2 * size)));
      const isAllowed = count(wider.length - (body?.length ?? 0));
      body?.copy(wider, 0, 0, before);
      body = wider;
      if (!isAllowed) {
        refuse('too many');
        return;
      }
    }
    chunk.copy(body, before);
  };
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (isRefused) {
      if (size > MAX_DISCARDED) request.destroy();
    } else if (size > most) refuse('too large');
    // Nearly all bodies come in one chunk.
    else if (body === undefined && String(size) === declared) body = chunk;
    else keep(chunk);
  });
  request.on('end', () => {
    if (isRefused) return;
    if (counted > 0) count(-counted);
    done(body?.subarray(0, size) ?? Buffer.alloc(0));
  });
  if (Number(declared ?? 0) > most) refuse('too large');
}

/** The request in a body, or the message of the refusal. */
export function parseBody(body: Buffer): GraphqlRequest | string {
  const encoding = isAscii(body) ? 'latin1' : isUtf8(body) ? 'utf8' : undefined;
  if (encoding === undefined) return 'malformed JSON: the body is no UTF-8';
  let value: unknown;
  try {
    value = parseJson(encoding === 'latin1' ? body.toString('latin1') : body);
  } catch {
    return 'malformed JSON: the body cannot be parsed';
  }
  if (Array.isArray(value)) return 'lists of requests are not taken: send one object';
  if (!isRecord(value)) return 'the body has to be a JSON object with "query"';
  const { query, variables, operationName } = value;
  if (typeof query !== 'string') return '"query" has to be a string';
  if (variables !== undefined && variables !== null && !isRecord(variables)) return '"variables" has to be an object';
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    return '"operationName" has to be a string';
  }
  return { query, variables, operationName };
}

/** Whether a content type is JSON; a charset has to be UTF-8. */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  const match = /^application\/json\s*(?:;\s*charset="?utf-?8"?\s*)?;?$/i;
  return contentType !== undefined && match.test(contentType.trim());
}

function isRecord(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Decompresses a whole body (`Content-Encoding`, RFC 9110 8.4). Throws for other codings and for more bytes than the limit. */
type Decoder = (body: Uint8Array, bound: { readonly maxOutputLength: number }) => Buffer;

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

/** Header `Accept-Encoding` of answers with status 415. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br';

/** Reads `Content-Encoding`. @returns null for no coding, undefined for one that is not supported, or several */
export function contentCoding(header: string | undefined): string | null | undefined {
  if (header === undefined) return null;
  const coding = header.trim().toLowerCase();
  if (coding === 'identity') return null;
  return DECODERS.has(coding) ? coding : undefined;
}

/** @returns the body; `too large` as soon as it passes `most` bytes, `malformed` for another coding */
export function decoded(body: Buffer, coding: string, most: number): Buffer | 'too large' | 'malformed' {
  const decode = DECODERS.get(coding);
  if (decode === undefined) throw new Error(`Invariant: ${coding} is no supported coding`);
  try {
    return decode(body, { maxOutputLength: most });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'malformed';
  }
}

/** An answer that is ready to be sent. */
interface Outgoing {
  readonly status: number;
  readonly type: string;
  /** JSON. */
  readonly body: string;
  readonly headers: HeaderBag;
}

/** Sends an answer, unless the client has disconnected. */
export function send(response: ServerResponse, { status, type, body, headers }: Outgoing): void {
  if (response.destroyed || response.headersSent) return;
  const size = Buffer.byteLength(body);
  response.writeHead(status, { 'content-type': type, 'content-length': size, ...headers });
  // ASCII is copied to the socket without transcoding. Nearly all answers are ASCII.
  response.end(body, size === body.length ? 'latin1' : 'utf8');
}
