/**
 * The text of a request in pieces: what is the same each time as bytes that were made once.
 *
 * HOT: on the way of every order (bench/tick-to-order.ts).
 */
import type { ClientFrame, Piece } from './client-frame.ts';

/** JSON in one piece or several. */
export type Json = Piece | readonly Piece[];

/** A document and its variables. */
export interface RequestText {
  /** `requestHead` of the document. */
  readonly head: Uint8Array;
  readonly variables: Json;
}

const ID = Buffer.from('{"id":"');
const SUBSCRIBE = Buffer.from('","type":"subscribe","payload":');
const BODY_END = '}';
const END = '}}';

/** `{"query":"…","variables":`, to be made once for each document. */
export function requestHead(document: string): Uint8Array {
  return Buffer.from(`{"query":${JSON.stringify(document)},"variables":`);
}

/** As one text: `{"query":"…","variables":…}`. */
export function textOf({ head, variables }: RequestText): string {
  return `${jsonText(head)}${jsonText(variables)}${BODY_END}`;
}

export function jsonText(json: Json): string {
  if (isList(json)) return json.map(jsonText).join('');
  return typeof json === 'string' ? json : Buffer.from(json).toString();
}

/** The message of graphql-transport-ws that begins it. */
export function addRequest(frame: ClientFrame, id: string, { head, variables }: RequestText): void {
  frame.add(ID);
  frame.add(id);
  frame.add(SUBSCRIBE);
  frame.add(head);
  if (isList(variables)) for (let at = 0; at < variables.length; at += 1) frame.add(variables[at]!);
  else frame.add(variables);
  frame.add(END);
}

function isList(json: Json): json is readonly Piece[] {
  return Array.isArray(json);
}
