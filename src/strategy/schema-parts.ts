/** Schemas of numbers with a range and a default; the description names the default. */
import { z } from 'zod';

/** @param meaning a sentence */
export function whole(least: number, most: number, preset: number, meaning: string): z.ZodDefault<z.ZodInt> {
  return z.int().min(least).max(most).default(preset).describe(`${meaning} Default ${preset}.`);
}

/** @param meaning a sentence */
export function within(least: number, most: number, preset: number, meaning: string): z.ZodDefault<z.ZodNumber> {
  return z.number().min(least).max(most).default(preset).describe(`${meaning} Default ${preset}.`);
}
