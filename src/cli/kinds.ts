/** The kinds of configuration files, and how to tell them apart. */
import type { z } from 'zod';
import { runSpecSchema } from '../backtest/index.ts';
import { InputFault } from '../domain/index.ts';
import { recipeSchema } from './recipe-schema.ts';

export const KINDS = { backtest: runSpecSchema, synthetic: recipeSchema } as const;
export type Kind = keyof typeof KINDS;

/** @throws InputFault for a kind there is not */
export function kindNamed(name: string): Kind {
  if (name === 'backtest' || name === 'synthetic') return name;
  throw new InputFault('kind', name, '"backtest" or "synthetic"');
}

/** What a file is by its keys: the kind that knows most of them; a backtest where nothing tells. */
export function kindOf(value: unknown): Kind {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const known = (schema: z.ZodObject): number => keys.filter((key) => key in schema.shape).length;
  return known(KINDS.synthetic) > known(KINDS.backtest) ? 'synthetic' : 'backtest';
}
