/** Types of command descriptions. `commands.ts` lists the commands; `program.ts` builds the command line from them. */
import { z } from 'zod';
import type { Session } from './output/terminal.ts';

export interface CommandSpec {
  readonly name: string;
  /** Text in the list of commands. Default: the description. */
  readonly summary?: string;
  readonly description: string;
  /** `<name>` is required, `[name]` is optional, `...` takes all remaining arguments. */
  readonly args?: ArgumentSpecs;
  readonly options?: ArgumentSpecs;
  readonly examples?: readonly string[];
  readonly commands?: readonly CommandSpec[];
  readonly load?: () => Promise<Action>;
}

/** Describes each argument or option, by its syntax such as `--out <file>`. */
export type ArgumentSpecs = Readonly<Record<string, string | ArgumentSpec>>;

export interface ArgumentSpec {
  readonly meaning: string;
  readonly default?: string;
  readonly isRequired?: boolean;
  /** Whether users may repeat the option. The action then receives a list of all given values. */
  readonly isRepeatable?: boolean;
}

/** Returns each syntax with its description. */
export function toEntries(specs: ArgumentSpecs): readonly (readonly [syntax: string, ArgumentSpec])[] {
  return Object.entries(specs).map(([syntax, spec]) => [syntax, typeof spec === 'string' ? { meaning: spec } : spec]);
}

/** Runs a command. `operands` and `options` are unchecked; the action checks them. */
export type Action = (session: Session, operands: readonly string[], options: object) => Promise<void> | void;

/** Returns an action that parses its options by `shape` and then calls `run`. */
export function action<Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (...args: [Session, readonly string[], OptionsOf<Shape>]) => Promise<void> | void,
): Action {
  const schema = z.object(shape);
  return (session, operands, options) => run(session, operands, schema.parse(options));
}

export type OptionsOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

export const flag = z.boolean().default(false);
export const optionalText = z.string().min(1).optional();
export const textList = z.array(z.string().min(1)).default([]);
/** Values of `--set`. */
export const assignments = z.array(z.string()).default([]);

/** Parses a whole number from `min` to `max`, both included. `min` is at least 0. */
export function whole(min: number, max: number, noun = 'a whole number') {
  const expected = `expected ${noun} from ${min} to ${max}`;
  return z
    .string(expected)
    .regex(/^\d{1,16}$/, expected)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected);
}

export function urlOption(protocol: RegExp, example: string) {
  return z.url({ protocol, error: `expected a URL such as ${example}` });
}

/** Options of commands that select Polymarket's markets. */
export const GAMMA_OPTIONS = {
  tag: z
    .string()
    .regex(/^\d{1,10}$/, 'expected the number of a tag of Gamma')
    .optional(),
  gammaUrl: urlOption(/^https?$/, 'https://gamma-api.polymarket.com'),
};

/** Option of commands that read a configuration file. */
export const SET_OPTION = setOptionFor('the file');

export function setOptionFor(file: string): ArgumentSpecs {
  return { '--set <key=value>': { meaning: `another value for one key of ${file}; repeatable`, isRepeatable: true } };
}

/** @param printed description of the printed object */
export function jsonOption(printed: string): ArgumentSpecs {
  return { '--json': `print ${printed} and nothing else` };
}
