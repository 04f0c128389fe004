/** The body of a request: bytes, bounded, then the object that GraphQL wants of it. */
import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parseJson } from '../../network/index.ts';
import type { Arguments } from '../graphql/context.ts';
import type { GraphqlRequest } from '../graphql/request.ts';
import type { HeldBytes } from './held-bytes.ts';

/** What is read and thrown away of a body that is too large, so that its sender hears the answer. */
const MAX_DISCARDED = 33_554_432;
const FIRST_ROOM = 2_048;

/** How a body is read. */
export interface BodyReading {
  readonly most: number;
  readonly held: HeldBytes;
  /** Of the sender; asked only where a body comes in several parts. */
  address(): string;
  /** Called once: with the bytes, or with why they are not read. Never when the sender goes away. */
  done(body: Buffer | 'too large' | 'too many'): void;
}

/** Reads the whole body. */
export function readBody(request: IncomingMessage, { most, held, address, done }: BodyReading): void {
  const declared = request.headers['content-length'];
  let body: Buffer | undefined;
  let size = 0;
  let isRefused = false;
  let counted = 0;
  let account: ((change: number) => boolean) | undefined;
  const count = (change: number): boolean => {
    if (account === undefined) {
      account = held.open(address());
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
  /** In one piece: of a body that comes byte by byte the pieces would take more room than the bytes. */
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
    // Nearly all bodies come whole.
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

/** The request in a body, or what to tell whose body it is not. */
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

/** Whether the content is JSON, in UTF-8 where it says so. */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  const match = /^application\/json\s*(?:;\s*charset="?utf-?8"?\s*)?;?$/i;
  return contentType !== undefined && match.test(contentType.trim());
}

function isRecord(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
