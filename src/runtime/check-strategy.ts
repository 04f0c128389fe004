import { FileFault } from '../domain/index.ts';
import type { Strategy, StrategyWrapper } from '../strategy/index.ts';

/** The default export of a strategy's module. */
export type StrategyExport = Strategy | StrategyWrapper;

const REMEDY =
  'It must be `export default defineStrategy({ name, summary, params: z.strictObject({ … }), create })`, from `halfspread`';

/**
 * Checks that the default export of a module is a strategy.
 * @param folder name of the strategy's folder, which must equal the strategy's name
 * @throws FileFault with the field and the problem
 */
export function checkStrategy(value: unknown, file: string, folder: string): StrategyExport {
  if (value === undefined) throw new FileFault(file, undefined, 'there is no default export', REMEDY);
  assertStrategy(value, file);
  if (value.name !== folder) {
    const remedy = `Name the folder "${value.name}", or the strategy "${folder}"`;
    throw new FileFault(file, 'name', `the strategy is named "${value.name}" but its folder is "${folder}"`, remedy);
  }
  return value;
}

export function isWrapper(value: StrategyExport): value is StrategyWrapper {
  return 'wrap' in value;
}

function assertStrategy(value: unknown, file: string): asserts value is StrategyExport {
  const problem = findProblem(value);
  if (problem !== undefined) throw new FileFault(file, problem[0], problem[1], REMEDY);
}

/** Returns the first invalid field and its problem; undefined for a strategy or a wrapper. */
function findProblem(value: unknown): readonly [string, string] | undefined {
  if (typeof value !== 'object' || value === null) return ['default export', `it is ${describe(value)}, not an object`];
  const fields: Partial<Record<string, unknown>> = { ...value };
  const { name, summary, params, scope, state, timers, signals, create, wrap } = fields;
  if (typeof name !== 'string' || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)) {
    return ['name', `${describe(name)} is not a kebab-case name`];
  }
  if (typeof summary !== 'string' || summary === '') return ['summary', 'it is missing: one sentence on what it does'];
  if (!isSchema(params)) return ['params', `${describe(params)} is not a zod schema`];
  if (wrap !== undefined) {
    if (typeof wrap !== 'function') return ['wrap', `${describe(wrap)} is not a function`];
    if (!('safeExtend' in params)) return ['params', 'a wrapper needs a zod object, such as z.strictObject({ … })'];
    return create === undefined ? undefined : ['create', 'a wrapper has only `wrap`'];
  }
  if (scope !== undefined && scope !== 'market' && scope !== 'run') {
    return ['scope', `${describe(scope)} is neither "market" (an instance for each market) nor "run" (one for all)`];
  }
  if (state !== undefined && !isSchema(state)) return ['state', `${describe(state)} is not a zod schema`];
  if (timers !== undefined && typeof timers !== 'function') return ['timers', `${describe(timers)} is not a function`];
  if (signals !== undefined && typeof signals !== 'function')
    return ['signals', `${describe(signals)} is not a function`];
  if (typeof create !== 'function') return ['create', `${describe(create)} is not a function`];
  return undefined;
}

/** Checks properties of a schema instead of its class, because a strategy may use another copy of zod. */
function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null && '_zod' in value && 'safeParse' in value;
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
