/** The kinds of configuration files, and how to tell them apart. */
import { runSpecSchema } from '../backtest/index.ts';
import { InputFault } from '../domain/index.ts';
import { ConfigFault } from './config-fault.ts';
import type { Configuration } from './configuration.ts';
import { recipeSchema } from './recipe-schema.ts';

export const KINDS = { backtest: runSpecSchema, synthetic: recipeSchema } as const;
export type Kind = keyof typeof KINDS;

/** @throws InputFault for a kind there is not */
export function kindNamed(name: string): Kind {
  if (name === 'backtest' || name === 'synthetic') return name;
  throw new InputFault('kind', name, '"backtest" or "synthetic"');
}

const INSTEAD: Readonly<Record<Kind, string>> = {
  backtest: 'this is a backtest, not the recipe of a tape. Run it with `npx halfspread backtest`',
  synthetic:
    'this is the recipe of a tape, not a backtest. Make the tape with `npx halfspread tape generate` and name it under `tapes` of a backtest',
};

/** @throws ConfigFault for a file whose keys are those of another kind; a misspelt key alone is left to its schema */
export function expectKind({ value, shown }: Pick<Configuration, 'value' | 'shown'>, kind: Kind): void {
  const other: Kind = kind === 'backtest' ? 'synthetic' : 'backtest';
  if (known(value, other) > known(value, kind)) throw new ConfigFault(shown, INSTEAD[other]);
}

/** What a file is by its keys: the kind that knows most of them; a backtest where nothing tells. */
export function kindOf(value: unknown): Kind {
  return known(value, 'synthetic') > known(value, 'backtest') ? 'synthetic' : 'backtest';
}

function known(value: unknown, kind: Kind): number {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return keys.filter((key) => key in KINDS[kind].shape).length;
}
