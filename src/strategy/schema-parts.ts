/** Schemas of numbers with a range and a default; the description names the default. */
import { z } from 'zod';

/** @param meaning a sentence */
export function whole(min: number, max: number, preset: number, meaning: string): z.ZodDefault<z.ZodInt> {
  return z.int().min(min).max(max).default(preset).describe(`${meaning} Default ${preset}.`);
}

/** @param meaning a sentence */
export function within(min: number, max: number, preset: number, meaning: string): z.ZodDefault<z.ZodNumber> {
  return z.number().min(min).max(max).default(preset).describe(`${meaning} Default ${preset}.`);
}
