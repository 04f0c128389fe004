/** Schemas of times, and of numbers with a range and a default; the description names the default. */
import { z } from 'zod';
import { InputFault, parseTime } from '../domain/index.ts';

export const isoTime: z.ZodString = z.string().refine(isTime, 'a time such as 2026-03-01T12:00:00Z');

/** @param meaning a sentence */
export function whole(min: number, max: number, preset: number, meaning: string): z.ZodDefault<z.ZodInt> {
  return z.int().min(min).max(max).default(preset).describe(`${meaning} Default ${preset}.`);
}

/** @param meaning a sentence */
export function within(min: number, max: number, preset: number, meaning: string): z.ZodDefault<z.ZodNumber> {
  return z.number().min(min).max(max).default(preset).describe(`${meaning} Default ${preset}.`);
}

function isTime(text: string): boolean {
  try {
    parseTime('time', text);
    return true;
  } catch (fault) {
    if (fault instanceof InputFault) return false;
    throw fault;
  }
}
