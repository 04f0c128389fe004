/** Parses a user's values by a schema, and reports the first error with its path and the expected value. */
import { z } from 'zod';
import { InputFault, NOT_SHOWN } from '../domain/index.ts';
import { nearest } from './nearest.ts';
import { describeAlternatives, type Form, formsAt, knownKeys, listExample, objectExample } from './schema-forms.ts';

const VERSION = 1;

/** The format's version, the first key of configuration files. */
export const fileVersion = z
  .literal(VERSION, { error: ({ input }) => versionText(input) })
  .default(VERSION)
  .describe(`Version of the format of this file. Default ${VERSION}.`);

function versionText(found: unknown): string {
  if (found === String(VERSION)) return String(VERSION);
  const isNewer = typeof found === 'number' && found > VERSION;
  const remedy = isNewer ? 'a newer halfspread wrote this file: update halfspread' : `write version: ${VERSION}`;
  return `${VERSION} (the only version that this halfspread reads; ${remedy})`;
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * Parses a value by a schema, and fills in defaults.
 * @param root name of the value in messages: `params` gives `params.gamma`, an empty text gives `gamma`
 * @throws InputFault for the unknown keys, each with the nearest known key; without any, for the first invalid field
 */
export function parseStrict<S extends z.ZodType>(schema: S, value: unknown, root: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const context = { schema, value, root, cause: parsed.error };
  // A misspelt key gives two issues, an unknown and a missing key. The unknown key is the better message.
  const [unknown, ...others] = issues.flatMap((issue) => unknownPaths(issue, []));
  if (unknown !== undefined) throw unknownKeysFault(unknown, others, context);
  const [issue] = issues;
  if (issue === undefined) throw new InputFault(root, value, 'a valid value', { cause: parsed.error });
  throw faultFromIssue(issue, [], context);
}

/** Maximum number of unknown keys in a message. */
const MAX_UNKNOWN = 20;

interface ParseContext {
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly root: string;
  readonly cause: unknown;
}

function faultFromIssue(issue: Issue, parentPath: Path, context: ParseContext): InputFault {
  const path = [...parentPath, ...issue.path];
  if (issue.code === 'invalid_union') {
    const closest = closestOption(issue.errors);
    if (closest !== undefined) return faultFromIssue(closest, path, context);
  }
  if (issue.code === 'invalid_key') {
    const expected = issue.issues[0]?.message ?? issue.message;
    const { root, cause } = context;
    return new InputFault(toDottedPath(root, path.slice(0, -1)), path.at(-1), expected, { cause });
  }
  return createFault(path, describeExpectation(issue, path, context), context);
}

/** Returns the paths of all keys that a schema does not know, in a union those of the closest option. */
function unknownPaths(issue: Issue, parentPath: Path): readonly Path[] {
  const path = [...parentPath, ...issue.path];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key]);
  const closest = issue.code === 'invalid_union' ? closestOption(issue.errors) : undefined;
  return closest === undefined ? [] : unknownPaths(closest, path);
}

function unknownKeysFault(first: Path, others: readonly Path[], context: ParseContext): InputFault {
  const known = knownAt(first, context);
  const named = others.slice(0, MAX_UNKNOWN - 1).map((path) => {
    const near = nearestHint(path, knownAt(path, context));
    return `${toDottedPath(context.root, path)}${near === '' ? '' : ` (${near})`}`;
  });
  const more = others.length > named.length ? ` and ${others.length - named.length} more` : '';
  const hint = [nearestHint(first, known), known.length === 0 ? '' : `known: ${known.join(', ')}`].filter(Boolean);
  const expected = `a known key${hint.length === 0 ? '' : ` (${hint.join(' ')})`}`;
  const alsoUnknown = named.length === 0 ? '' : `. Also unknown: ${named.join(', ')}${more}`;
  const { root, cause } = context;
  return new InputFault(toDottedPath(root, first), NOT_SHOWN, `${expected}${alsoUnknown}`, { cause });
}

function createFault(path: Path, expected: string, context: ParseContext): InputFault {
  const { value, root, cause } = context;
  const received = valueAtPath(value, path);
  const hint = quotesHint(path, received, context);
  return new InputFault(toDottedPath(root, path), received, `${expected}${hint}`, { cause });
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/** Returns a remedy for a value that would be valid without its quotes. */
function quotesHint(path: Path, received: unknown, { schema, value }: ParseContext): string {
  if (typeof received !== 'string' || !NUMBER.test(received)) return '';
  const parsed = schema.safeParse(withValue(value, path, Number(received)));
  const isWrong = parsed.error?.issues.some((issue) => path.every((key, depth) => issue.path[depth] === key)) ?? false;
  return isWrong ? '' : ` (remove the quotes: ${received})`;
}

function withValue(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (typeof value !== 'object' || value === null) return value;
  const inner = withValue(Reflect.get(value, key), rest, replacement);
  return Array.isArray(value) ? value.toSpliced(Number(key), 1, inner) : { ...value, [key]: inner };
}

/** Returns the issue of the union's option that fits the value best; undefined if no option fits the value's type. */
function closestOption(options: readonly (readonly Issue[])[]): Issue | undefined {
  const misspelt = unknownInAll(options);
  if (misspelt !== undefined) return misspelt;
  const issuesInside = options
    .flatMap((issues) => issues.find(({ code }) => code === 'unrecognized_keys') ?? issues.slice(0, 1))
    .filter(({ code, path }) => path.length > 0 || code === 'unrecognized_keys');
  return issuesInside.toSorted((a, b) => b.path.length - a.path.length)[0];
}

/** Returns an issue with the keys that no option of the union knows. */
function unknownInAll(options: readonly (readonly Issue[])[]): Issue | undefined {
  const unknown = options.map((issues) =>
    issues.find((issue) => issue.code === 'unrecognized_keys' && issue.path.length === 0),
  );
  const [first, ...others] = unknown;
  if (first?.code !== 'unrecognized_keys') return undefined;
  const keys = first.keys.filter((key) =>
    others.every((issue) => issue?.code === 'unrecognized_keys' && issue.keys.includes(key)),
  );
  return keys.length === 0 ? undefined : { ...first, keys };
}

function knownAt(path: Path, { schema }: ParseContext): readonly string[] {
  return knownKeys(schema, path.slice(0, -1));
}

function nearestHint(path: Path, known: readonly string[]): string {
  const near = nearest(String(path.at(-1)), known);
  return near === undefined ? '' : `did you mean "${near}"?`;
}

function describeExpectation(issue: Issue, path: Path, { schema, value }: ParseContext): string {
  const received = valueAtPath(value, path);
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected, () => formsAt(schema, path), received);
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitSuffix(issue.origin)}`;
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitSuffix(issue.origin)}`;
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'invalid_value':
      // A schema's own message is more specific.
      return issue.message.startsWith('Invalid ') ? describeChoices(issue.values, received) : issue.message;
    case 'invalid_union':
      // The key that selects the form has an unknown value.
      if ('options' in issue && issue.options !== undefined) return describeChoices(issue.options, received);
      return describeAlternatives(formsAt(schema, path)) ?? issue.message;
    default:
      return issue.message.replace(/^Invalid (input|string): /, '');
  }
}

/** Names a type for users of YAML. */
function describeType(expected: string, forms: () => readonly Form[], received: unknown): string {
  switch (expected) {
    case 'int':
      return 'a whole number';
    case 'boolean':
      return 'true or false';
    case 'object':
    case 'record': {
      const example = objectExample(forms(), received);
      return example === undefined ? 'a section of keys (key: value)' : `a section of keys, ${example}`;
    }
    case 'array': {
      const example = listExample(forms(), received);
      return example === undefined ? 'a list' : `a list, ${example}`;
    }
    default:
      return `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`;
  }
}

function describeChoices(values: readonly z.core.util.Primitive[], received: unknown): string {
  if (values.length === 1) return toText(values[0]);
  const words = values.filter((value) => typeof value === 'string');
  const near = typeof received === 'string' ? nearest(received, words) : undefined;
  return `one of ${values.map(toText).join(', ')}${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
}

function unitSuffix(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' || origin === 'set' || origin === 'map' ? ' entries' : '';
}

function toText(value: z.core.util.Primitive): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function toDottedPath(root: string, path: Path): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text === '' ? '' : '.'}${String(key)}`),
    root,
  );
}

function valueAtPath(value: unknown, path: Path): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null) return undefined;
    inner = Reflect.get(inner, key);
  }
  return inner;
}
