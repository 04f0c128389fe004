/** The kinds of configuration files, and how to recognise them. */
import { runSpecSchema } from '../backtest/index.ts';
import { InputFault } from '../domain/index.ts';
import { mappingSchema } from '../history/index.ts';
import { studySchema } from '../research/index.ts';
import { chaosSchema } from './chaos-schema.ts';
import { ConfigFault } from './config-fault.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { liveSchema } from './live-schema.ts';
import { recipeSchema } from './recipe-schema.ts';
import { names } from './shared-parts.ts';
import { venueSchema } from './venue-schema.ts';

export const KINDS = {
  backtest: runSpecSchema,
  synthetic: recipeSchema,
  venue: venueSchema,
  chaos: chaosSchema,
  live: liveSchema,
  import: mappingSchema,
  study: studySchema,
} as const;
export type Kind = keyof typeof KINDS;

const NAMES: readonly Kind[] = names(KINDS);

/** @throws InputFault for an unknown kind */
export function parseKind(name: string): Kind {
  const kind = NAMES.find((known) => known === name);
  if (kind === undefined)
    throw new InputFault('kind', name, '"backtest", "synthetic", "venue", "chaos", "live", "import" or "study"');
  return kind;
}

const DESCRIPTIONS: Readonly<Record<Kind, readonly [content: string, remedy: string]>> = {
  backtest: ['a backtest', 'Run it with `npx halfspread backtest`'],
  synthetic: [
    'the recipe of a tape',
    'Generate the tape with `npx halfspread tape generate` and list it in `tapes` of a backtest',
  ],
  venue: ['a venue', 'Run it with `npx halfspread serve --config`'],
  chaos: ['a file of simulated faults', 'Use it with `npx halfspread serve --chaos`'],
  live: ['a bot', 'Run it with `npx halfspread run`'],
  import: ['a mapping for imports', 'Use it with `npx halfspread import csv --mapping`'],
  study: ['a study', 'Run it with `npx halfspread optimize`'],
};

/** Reads a configuration of a kind. @throws faults of `readConfiguration`; ConfigFault for a file of another kind */
export function readConfigurationOfKind(kind: Kind, ...source: Parameters<typeof readConfiguration>): Configuration {
  const configuration = readConfiguration(...source);
  expectKind(configuration, kind);
  return configuration;
}

/** @throws ConfigFault for a file that has more keys of another kind than of `kind` */
export function expectKind({ value, givenPath }: Pick<Configuration, 'value' | 'givenPath'>, kind: Kind): void {
  const other = guessKind(value);
  if (countKnownKeys(value, other) <= countKnownKeys(value, kind)) return;
  const [content, remedy] = DESCRIPTIONS[other];
  throw new ConfigFault(givenPath, `this is ${content}, not ${DESCRIPTIONS[kind][0]}. ${remedy}`);
}

/** Returns the kind that has most of a file's keys; `backtest` if no kind has any of them. */
export function guessKind(value: unknown): Kind {
  const [first = 'backtest'] = NAMES.toSorted((a, b) => countKnownKeys(value, b) - countKnownKeys(value, a));
  return first;
}

function countKnownKeys(value: unknown, kind: Kind): number {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return keys.filter((key) => key in KINDS[kind].shape).length;
}
