/**
 * Messages of graphql-transport-ws as a server sends them. Nothing here throws, whatever a venue sends.
 *
 * HOT: every frame of a venue passes here (bench/tick-to-order.ts).
 */
import { parseJson, shownText } from '../../../network/index.ts';
import type { WireError } from '../../../protocol/index.ts';
import { type GraphqlResult, readErrors, readResult } from './answer-codec.ts';

export type ServerMessage =
  | { readonly type: 'next'; readonly id: string; readonly result: GraphqlResult }
  /** A `next` whose payload is no GraphQL result. */
  | { readonly type: 'malformed'; readonly id: string }
  | { readonly type: 'error'; readonly id: string; readonly errors: readonly WireError[] }
  | { readonly type: 'complete'; readonly id: string }
  | { readonly type: 'ping' | 'connection_ack' | 'other' };

const SHOWN_BYTES = 1_000;
const OTHER = { type: 'other' } as const;

/** @returns undefined for what is no message at all */
export function readMessage(data: Buffer): ServerMessage | undefined {
  const message = parsed(data);
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
  return type === 'ping' || type === 'connection_ack' ? { type } : OTHER;
}

/** How a frame begins, for messages about it. */
export function frameStart(data: Buffer): string {
  return shownText(data.toString('utf8', 0, SHOWN_BYTES));
}

function parsed(data: Buffer): unknown {
  try {
    return parseJson(data);
  } catch {
    return undefined;
  }
}
