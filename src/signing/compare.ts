/**
 * Step 2 of signing (docs/spec/venue.md#signing-in-three-steps). Compares each member of the typed data that a venue
 * offers with the caller's intent and the pinned domain. Fields without an intent, such as salt and time, come from the
 * offer. An unknown member is a difference.
 */
import { isRecord } from '../domain/index.ts';
import type { Field, Message } from './field-kinds.ts';
import { readMessage } from './message-codec.ts';
import { domainFields, type TypedData } from './struct-hasher.ts';

interface Difference {
  readonly ok: false;
  readonly code: 'DIFFERS';
  /** Path in the typed data, such as `message.priceBps` or `domain.chainId`. */
  readonly field: string;
  readonly expected: string;
  /** The offered value, as text of at most 200 characters. */
  readonly offered: string;
}

/** The offer's complete message, or the first difference. */
export type Compared<M> = { readonly ok: true; readonly message: M } | Difference;

export function compareOffer<M extends Message>(
  offer: unknown,
  pinned: Omit<TypedData, 'message'>,
  fields: readonly Field[],
  intent: Partial<M>,
): Compared<M> {
  if (!isRecord(offer)) return createDifference('', 'typed data', offer);
  const { domain, types, primaryType, message } = offer;
  const names = fields.map(({ name }) => name);
  const difference =
    findUnknownMember('', offer, ['domain', 'types', 'primaryType', 'message']) ??
    findDifference('primaryType', pinned.primaryType, primaryType) ??
    findDomainDifference(pinned.domain, domain) ??
    findTypesDifference(pinned, types) ??
    findUnknownMember('message', message, names);
  if (difference !== undefined) return difference;
  const read = readMessage<M>(fields, message, 'fromTyped');
  if (!read.ok) {
    const expected = fields.find(({ name }) => name === read.field)?.kind.expected ?? 'an object';
    return createDifference(joinPath('message', read.field), expected, getMemberOrSelf(message, read.field));
  }
  for (const { name, kind } of fields) {
    const [expected, offered] = [intent[name], read.message[name]];
    if (expected === undefined || offered === undefined) continue;
    const difference = findDifference(`message.${name}`, String(kind.toTyped(expected)), String(kind.toTyped(offered)));
    if (difference !== undefined) return difference;
  }
  return read;
}

/** Accepts a chain ID as text or number, and an address in either case. */
function findDomainDifference(expected: Readonly<Record<string, unknown>>, offered: unknown): Difference | undefined {
  const normalize = (name: string, value: unknown): unknown => {
    if (name === 'verifyingContract') return typeof value === 'string' ? value.toLowerCase() : value;
    return name === 'chainId' && typeof value === 'number' ? String(value) : value;
  };
  for (const { name } of domainFields(expected)) {
    const value = getMemberOrSelf(offered, name);
    const difference = findDifference(`domain.${name}`, normalize(name, expected[name]), normalize(name, value));
    if (difference !== undefined) return difference;
  }
  return findUnknownMember('domain', offered, Object.keys(expected));
}

/** Compares types, names and order of the fields, because the signature covers all of them. */
function findTypesDifference(pinned: Omit<TypedData, 'message'>, offered: unknown): Difference | undefined {
  for (const [name, expected] of Object.entries(pinned.types)) {
    const fields: unknown = getMemberOrSelf(offered, name);
    const fieldsText = (list: unknown): string =>
      Array.isArray(list)
        ? list.map((field) => `${getMemberOrSelf(field, 'type')} ${getMemberOrSelf(field, 'name')}`).join(',')
        : String(list);
    const difference = findDifference(`types.${name}`, fieldsText(expected), fieldsText(fields));
    if (difference !== undefined) return difference;
  }
  return findUnknownMember('types', offered, Object.keys(pinned.types));
}

function findUnknownMember(path: string, offered: unknown, known: readonly string[]): Difference | undefined {
  const name = isRecord(offered) ? Object.keys(offered).find((each) => !known.includes(each)) : undefined;
  return name === undefined
    ? undefined
    : createDifference(joinPath(path, name), 'nothing', getMemberOrSelf(offered, name));
}

function findDifference(field: string, expected: unknown, offered: unknown): Difference | undefined {
  return expected === offered ? undefined : createDifference(field, expected, offered);
}

function createDifference(field: string, expected: unknown, offered: unknown): Difference {
  return { ok: false, code: 'DIFFERS', field, expected: printable(expected), offered: printable(offered) };
}

function joinPath(path: string, name: string): string {
  return path === '' || name === '' ? path + name : `${path}.${name}`;
}

/** Returns a member, or the value itself for the name `''`. */
function getMemberOrSelf(value: unknown, name: string): unknown {
  if (name === '') return value;
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Escapes characters that could move a cursor or reverse text, because terminals and logs show offers. */
function printable(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (text ?? 'nothing').slice(0, 200).replace(/[\p{Cc}\p{Cf}]/gu, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
}
