/** The keys of a configuration file that name its strategies: one `strategy`, or a list of `strategies`. */
import { z } from 'zod';

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

const params = z.record(z.string(), z.unknown());

const entrySchema = z.strictObject({
  strategy: z.string().min(1).describe("Name, folder or file of the strategy, like the file's key `strategy`."),
  name: z
    .string()
    .regex(NAME, 'a kebab-case name')
    .optional()
    .describe("Name in reports and commands; needed when a strategy is listed twice. Default: the strategy's name."),
  params: params.default({}).describe("The strategy's parameters. Default: its defaults."),
  markets: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe(
      'Slugs or ids of the markets that the strategy trades; an id of Polymarket is a condition id in quotes. Default: all markets of the file.',
    ),
});

interface StrategyEntry extends Readonly<z.output<typeof entrySchema>> {
  /** Prefix of the entry's keys in the file: empty, or `strategies[1].`. */
  readonly prefix: string;
}

/** Keys to spread into a file's schema. The schema must also run the check `checkStrategyKeys`. */
export const strategiesShape = {
  strategy: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder or file of the strategy: a name under strategies/, or a path relative to this file. Required unless there are `strategies`.',
    ),
  params: params.default({}).describe("The strategy's parameters, checked by its own schema. Default: its defaults."),
  strategies: z
    .array(entrySchema)
    .min(1)
    .max(20)
    .optional()
    .describe('Several strategies in one account, in place of `strategy` and `params`. Default: only `strategy`.'),
  allow_imports: z
    .array(z.string().min(1))
    .max(100)
    .optional()
    .describe(
      'Modules (`node:fs`, `mathjs`), and files or folders relative to this file (`../shared`), that strategies may import. Default: only `halfspread`, `zod` and the files of their own folder.',
    ),
} as const;

/** The keys of `strategiesShape` after parsing. */
export type StrategyKeys = Readonly<z.output<z.ZodObject<typeof strategiesShape>>>;

/** Checks that a file has exactly one of the two forms. */
export function checkStrategyKeys({ value, issues }: z.core.ParsePayload<StrategyKeys>): void {
  const { strategy, strategies, params: givenParams } = value;
  const refuse = (path: string, message: string): void => {
    issues.push({ code: 'custom', message, path: [path], input: Reflect.get(value, path) });
  };
  if (strategies === undefined) {
    if (strategy === undefined) refuse('strategy', 'a strategy, or a list of strategies under "strategies"');
    return;
  }
  if (strategy !== undefined) refuse('strategy', 'no strategy beside the list of "strategies": move it into the list');
  if (Object.keys(givenParams).length > 0)
    refuse('params', 'no parameters beside "strategies": move them to their entry');
}

/** Returns the strategies of a file in their order. */
export function strategyEntries({ strategy, params, strategies }: StrategyKeys): readonly StrategyEntry[] {
  if (strategies !== undefined)
    return strategies.map((entry, index) => ({ ...entry, prefix: `strategies[${index}].` }));
  return strategy === undefined ? [] : [{ strategy, params, prefix: '' }];
}

/** Returns a positive number parameter of a strategy, or of its wrapped strategy; undefined without this parameter. */
export function paramNumber(params: unknown, key: string): number | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  const value: unknown = Reflect.get(params, key);
  if (value === undefined) return paramNumber(Reflect.get(params, 'params'), key);
  return typeof value === 'number' && value > 0 ? value : undefined;
}
