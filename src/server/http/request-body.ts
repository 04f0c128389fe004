/** The body of a request: bytes, bounded, then the object that GraphQL wants of it. */
import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Arguments, GraphqlRequest } from '../graphql/index.ts';

/** What is read and thrown away of a body that is too large, so that its sender hears the answer. */
const MOST_DISCARDED = 33_554_432;

/**
 * Reads the whole body.
 * @param done called once: with the bytes, or with undefined as soon as there are more than `most`; never when the
 *   sender goes away
 */
export function readBody(request: IncomingMessage, most: number, done: (body: Buffer | undefined) => void): void {
  let first: Buffer | undefined;
  let more: Buffer[] | undefined;
  let size = 0;
  let isTooLarge = false;
  const refuse = (): void => {
    isTooLarge = true;
    first = undefined;
    more = undefined;
    done(undefined);
  };
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (isTooLarge) {
      if (size > MOST_DISCARDED) request.destroy();
    } else if (size > most) refuse();
    else if (first === undefined) first = chunk;
    else {
      more ??= [first];
      more.push(chunk);
    }
  });
  request.on('end', () => {
    if (!isTooLarge) done(more === undefined ? (first ?? Buffer.alloc(0)) : Buffer.concat(more, size));
  });
  if (Number(request.headers['content-length'] ?? 0) > most) refuse();
}

/** The request in a body, or what to tell whose body it is not. */
export function parseBody(body: Buffer): GraphqlRequest | string {
  const encoding = isAscii(body) ? 'latin1' : isUtf8(body) ? 'utf8' : undefined;
  if (encoding === undefined) return 'malformed JSON: the body is no UTF-8';
  let value: unknown;
  try {
    value = JSON.parse(body.toString(encoding));
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
