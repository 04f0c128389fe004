/** Reads request bodies within limits, and sends answers. */
import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { isRecord } from '../../domain/index.ts';
import { parseJson } from '../../network/index.ts';
import type { GraphqlRequest } from '../graphql/request.ts';
import type { NetworkLimit } from './client-address.ts';
import type { HeaderBag } from './headers.ts';

/** A refused body is read and discarded up to this total size, so that the client can read the answer. */
const MAX_DISCARDED_BYTES = 33_554_432;
const INITIAL_BUFFER_BYTES = 2_048;

export interface ReadBodyOptions {
  readonly maxBytes: number;
  readonly unfinished: NetworkLimit;
  /** Returns the client's address. Not called for a body in one chunk with a matching `Content-Length`. */
  address(): string;
  /** Called once, unless the client disconnects. `too many`: bodies of the client's network exceed `unfinished`. */
  done(body: Buffer | 'too large' | 'too many'): void;
}

export function readBody(request: IncomingMessage, { maxBytes, unfinished, address, done }: ReadBodyOptions): void {
  const declared = request.headers['content-length'];
  let body: Buffer | undefined;
  let size = 0;
  let isRefused = false;
  let reservedBytes = 0;
  let changeNetworkSum: ((change: number) => boolean) | undefined;
  const reserve = (change: number): boolean => {
    if (changeNetworkSum === undefined) {
      changeNetworkSum = unfinished.track(address());
      request.once('close', () => reserve(-reservedBytes));
    }
    reservedBytes += change;
    return changeNetworkSum(change);
  };
  const refuse = (problem: 'too large' | 'too many'): void => {
    isRefused = true;
    body = undefined;
    if (reservedBytes > 0) reserve(-reservedBytes);
    done(problem);
  };
  /** Copies into one buffer, because a list of tiny chunks would take more memory than the bytes. */
  const append = (chunk: Buffer): void => {
    const before = size - chunk.length;
    if (body === undefined || body.length < size) {
      const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(INITIAL_BUFFER_BYTES, 2 * size)));
      const isAllowed = reserve(larger.length - (body?.length ?? 0));
      body?.copy(larger, 0, 0, before);
      body = larger;
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
      if (size > MAX_DISCARDED_BYTES) request.destroy();
    } else if (size > maxBytes) refuse('too large');
    // Fast path: nearly all bodies arrive in one chunk.
    else if (body === undefined && String(size) === declared) body = chunk;
    else append(chunk);
  });
  request.on('end', () => {
    if (isRefused) return;
    if (reservedBytes > 0) reserve(-reservedBytes);
    done(body?.subarray(0, size) ?? Buffer.alloc(0));
  });
  if (Number(declared ?? 0) > maxBytes) refuse('too large');
}

/** Returns the request, or the message of a refusal. */
export function parseBody(body: Buffer): GraphqlRequest | string {
  const isAsciiText = isAscii(body);
  if (!isAsciiText && !isUtf8(body)) return 'malformed JSON: the body is not UTF-8';
  let value: unknown;
  try {
    value = parseJson(isAsciiText ? body.toString('latin1') : body);
  } catch {
    return 'malformed JSON: the body cannot be parsed';
  }
  if (Array.isArray(value)) return 'batches of requests are not supported: send one object';
  if (!isRecord(value)) return 'the body must be a JSON object with "query"';
  const { query, variables, operationName } = value;
  if (typeof query !== 'string') return '"query" must be a string';
  if (variables !== undefined && variables !== null && !isRecord(variables)) return '"variables" must be an object';
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    return '"operationName" must be a string';
  }
  return { query, variables, operationName };
}

/** Returns whether a content type is JSON, with the charset UTF-8 or none. */
export function isJsonType(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  return /^application\/json\s*(?:;\s*charset="?utf-?8"?\s*)?;?$/i.test(contentType?.trim() ?? '');
}

/** Decompresses a whole body (RFC 9110 8.4). @throws Error for malformed input and above the limit */
type Decoder = (body: Uint8Array, limit: { readonly maxOutputLength: number }) => Buffer;

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

/** The header `Accept-Encoding` of answers with status 415. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br';

/** @param header `Content-Encoding` @returns null for no coding, undefined for unsupported or several codings */
export function readContentCoding(header: string | undefined): string | null | undefined {
  if (header === undefined) return null;
  const coding = header.trim().toLowerCase();
  if (coding === 'identity') return null;
  return DECODERS.has(coding) ? coding : undefined;
}

/** @returns `too large` above `maxBytes` decompressed bytes, `malformed` if the body is not in this coding */
export function decompress(body: Buffer, coding: string, maxBytes: number): Buffer | 'too large' | 'malformed' {
  const decode = DECODERS.get(coding);
  if (decode === undefined) throw new Error(`Invariant: ${coding} is not a supported coding`);
  try {
    return decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'malformed';
  }
}

/** Sends an answer, unless the client has disconnected. */
export function send(response: ServerResponse, status: number, body: string, headers: HeaderBag): void {
  if (response.destroyed || response.headersSent) return;
  const size = Buffer.byteLength(body);
  response.writeHead(status, { 'content-length': size, ...headers });
  // ASCII is copied to the socket without transcoding. Nearly all answers are ASCII.
  response.end(body, size === body.length ? 'latin1' : 'utf8');
}
