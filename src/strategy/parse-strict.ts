/** Values from a user against a schema: the first thing that is wrong, with its path and what it has to be. */
import { z } from 'zod';
import { InputFault } from '../domain/index.ts';
import { nearest } from './nearest.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];
type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The value as the schema gives it back, defaults filled in.
 * @param at what the value is called in messages: `params` makes `params.gamma`, nothing makes `gamma`
 * @throws InputFault that names the first wrong field; an unknown key with the nearest known one
 */
export function parseStrict<S extends z.ZodType>(schema: S, value: unknown, at: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  // A misspelt key is unknown and its right name missing: the former tells more.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (issue === undefined) throw new InputFault(at, value, 'a valid value', { cause: parsed.error });
  throw faultOf(issue, [], { schema, value, at, cause: parsed.error });
}

interface Where {
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly at: string;
  readonly cause: unknown;
}

function faultOf(issue: Issue, above: Path, where: Where): InputFault {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union') {
    const closest = closestOption(issue.errors);
    if (closest !== undefined) return faultOf(closest, path, where);
  }
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    return fault([...path, key], `a known key${hint(key, knownKeys(where.schema, path))}`, where);
  }
  return fault(path, expectation(issue), where);
}

function fault(path: Path, expected: string, { value, at, cause }: Where): InputFault {
  return new InputFault(dotted(at, path), valueAt(value, path), expected, { cause });
}

/** Of several forms a value could have had, the one it followed furthest. */
function closestOption(options: readonly (readonly Issue[])[]): Issue | undefined {
  const firsts = options.flatMap((issues) => issues.slice(0, 1));
  return firsts.toSorted((a, b) => b.path.length - a.path.length)[0];
}

function hint(key: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const near = nearest(key, known);
  return ` (${near === undefined ? '' : `did you mean "${near}"? `}known: ${known.join(', ')})`;
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'a whole number' : `${article(issue.expected)} ${issue.expected}`;
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitOf(issue.origin)}`;
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return issue.values.length === 1 ? shown(issue.values[0]) : `one of ${issue.values.map(shown).join(', ')}`;
    default:
      return issue.message.replace(/^Invalid (input|string): /, '');
  }
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a';
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' || origin === 'set' || origin === 'map' ? ' entries' : '';
}

function shown(value: z.core.util.Primitive): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function dotted(at: string, path: Path): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text === '' ? '' : '.'}${String(key)}`),
    at,
  );
}

function valueAt(value: unknown, path: Path): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null) return undefined;
    inner = Reflect.get(inner, key);
  }
  return inner;
}

/** Keys of the object at a path, over all forms it may have. The JSON schema is zod's public way to look inside. */
function knownKeys(schema: z.ZodType, path: Path): readonly string[] {
  let forms: readonly JsonSchema[] = flat(
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', cycles: 'ref' }),
  );
  for (const key of path) forms = forms.flatMap((form) => inside(form, key));
  return [...new Set(forms.flatMap((form) => Object.keys(form.properties ?? {})))];
}

function inside(form: JsonSchema, key: PropertyKey): readonly JsonSchema[] {
  const { properties = {}, items, additionalProperties } = form;
  const named = typeof key === 'string' ? properties[key] : undefined;
  return [named, items, additionalProperties].flatMap((part) => (isSchema(part) ? flat(part) : []));
}

function flat(form: JsonSchema): readonly JsonSchema[] {
  const parts = [...(form.anyOf ?? []), ...(form.oneOf ?? []), ...(form.allOf ?? [])];
  return [form, ...parts.flatMap((part) => (isSchema(part) ? flat(part) : []))];
}

function isSchema(part: unknown): part is JsonSchema {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}
