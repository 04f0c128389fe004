/**
 * Encodes plain data as canonical JSON without loss, for rare commands in the journal. A number that JSON cannot express is
 * an object with the only key `#`, which no command has.
 */
import { Fault } from '../../domain/index.ts';
import { canonicalJson, type Json } from '../markets/canonical-json.ts';

const SPECIAL_NUMBERS = ['NaN', 'Infinity', '-Infinity', '-0'];

/** Omits members that are undefined. */
export function encodeJson(value: unknown): string {
  return canonicalJson(toJson(value));
}

/** @throws Fault if the text is not JSON */
export function decodeJson(text: string): unknown {
  try {
    return JSON.parse(text, decodeSpecial);
  } catch (cause) {
    throw new Fault('JOURNAL_BYTES', `expected JSON, got ${JSON.stringify(text.slice(0, 80))}`, { cause });
  }
}

function toJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { '#': Object.is(value, -0) ? '-0' : String(value) };
  }
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object') throw new RangeError(`Invariant: a ${typeof value} cannot be journalled`);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, toJson(member)]));
}

function decodeSpecial(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('#' in value)) return value;
  const special = value['#'];
  return typeof special === 'string' && SPECIAL_NUMBERS.includes(special) ? Number(special) : value;
}
