/** Arguments that several commands have. */
import { z } from 'zod';
import { parseTime } from '../../domain/index.ts';

/** A market's UUID or slug. */
export const marketField = z.string().min(1).describe("The market's UUID or slug.");
/** Words for the transparency record. */
export const noteField = z
  .string()
  .max(1_000)
  .default('')
  .describe(
    "Told in the market's transparency record; of halt, resume, change-tick and change-minimum, which make no step of it, as `reason` of `marketStatusChanged` alone. Default: the words of the table of transitions.",
  );
/** ISO 8601 with `Z`. */
export const timeField = z
  .string()
  .refine((text) => timeOf(text) !== undefined, 'a time such as 2026-03-01T12:00:00Z')
  .transform((text) => parseTime('time', text));
/** Lower-case words joined by hyphens. */
export const slugField = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'a slug: lower-case words joined by hyphens');
/** An account's address. */
export const addressField = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'an address: 0x and 40 hex digits')
  .transform((text) => text.toLowerCase());

function timeOf(text: string): number | undefined {
  try {
    return parseTime('time', text);
  } catch {
    return undefined;
  }
}
