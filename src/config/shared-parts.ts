/** Parts of schemas: texts, limits, addresses, chances, sources of secrets, and headers of requests. */
import { z } from 'zod';
import { within } from '../strategy/index.ts';

export const text = z.string().min(1);
export const env = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable')
  .describe('Environment variable with the secret.');
export const file = text.describe('File that contains only the secret, readable only by its owner (chmod 600).');
export const secret = z.union([z.strictObject({ env }), z.strictObject({ file })]);

export const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'an address: 0x and 40 hex digits');
export const chance = (meaning: string) => within(0, 1, 0, meaning);
export const optionalText = (meaning: string) => text.optional().describe(meaning);
/** @param meaning a sentence */
export const flag = (preset: boolean, meaning: string) =>
  z.boolean().default(preset).describe(`${meaning} Default ${preset}.`);
/** Makes the schema of a limit that `none` switches off. @param meaning a sentence */
export const orNone = (schema: z.ZodNumber, preset: number | 'none', meaning: string) =>
  z
    .union([schema, z.literal('none')])
    .default(preset)
    .describe(`${meaning} Default ${preset}.`);

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'the name of a header');
export const headers = z
  .record(headerName, z.union([z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'one line of text'), secret]))
  .default({})
  .describe('HTTP headers of every request: a text, or the place of a secret (`env`, `file`). Default none.');

export function names<Name extends string>(table: Readonly<Record<Name, unknown>>): [Name, ...Name[]] {
  const isName = (key: string): key is Name => Object.hasOwn(table, key);
  const [first, ...rest] = Object.keys(table).filter(isName);
  if (first === undefined) throw new RangeError('Invariant: a table without names');
  return [first, ...rest];
}
