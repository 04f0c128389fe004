/** Describes the values that a schema accepts at a path. Reads JSON schema, because zod's internals are not public. */
import { z } from 'zod';

/** JSON schema of one form that a value may have. Each part of `anyOf`, `oneOf` and `allOf` is a form of its own. */
export type Form = z.core.JSONSchema.BaseSchema;

/** Returns all forms that a value at a path may have. */
export function formsAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly Form[] {
  let forms = expandForm(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', cycles: 'ref' }));
  for (const key of path) forms = forms.flatMap((form) => formsBelow(form, key));
  return forms;
}

/** Returns the keys of the object at a path, in all of its forms. */
export function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const keys = formsAt(schema, path).flatMap(({ properties = {}, propertyNames }) => [
    ...Object.keys(properties),
    ...(isForm(propertyNames) ? (propertyNames.enum ?? []) : []),
  ]);
  return [...new Set(keys.filter((key) => typeof key === 'string'))];
}

/** Describes the accepted values, such as `"from tape" or a whole number from 0 to 10000`; undefined if unknown. */
export function describeAlternatives(forms: readonly Form[]): string | undefined {
  const descriptions = new Set(forms.flatMap((form) => describeForm(form) ?? []));
  return descriptions.size === 0 ? undefined : [...descriptions].join(' or ');
}

/**
 * Returns an example such as `{ model: power }` for a discriminated union. Prefers a valid `received`. For a text in
 * place of a section whose first key is a text, returns for example `{ column: best_bid }`.
 */
export function objectExample(forms: readonly Form[], received: unknown): string | undefined {
  const examples = forms.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([key, form]) =>
      isForm(form) && typeof form.const === 'string' ? [{ key, value: form.const }] : [],
    ),
  );
  const example = examples.find(({ value }) => value === received) ?? examples[0];
  if (example !== undefined) return `such as { ${example.key}: ${toYamlText(example.value)} }`;
  if (typeof received !== 'string' || received.length > 80) return undefined;
  const firstKeys = forms.flatMap(({ properties = {} }) => Object.entries(properties).slice(0, 1));
  const [key] = firstKeys.find(([, form]) => isForm(form) && form.type === 'string') ?? [];
  return key === undefined ? undefined : `such as { ${key}: ${toYamlText(received)} }`;
}

/** Returns an example such as `[x.tape]` for a single value in place of a list; undefined for an invalid entry. */
export function listExample(forms: readonly Form[], received: unknown): string | undefined {
  const entries = forms.flatMap(({ items }) => (isForm(items) ? expandForm(items) : []));
  if (typeof received === 'object') return undefined;
  const text = typeof received === 'string' ? toYamlText(received) : String(received);
  const isValid = entries.some(
    ({ type }) => type === typeof received || (type === 'integer' && Number.isInteger(received)),
  );
  return isValid && text.length <= 80 ? `such as [${text}]` : undefined;
}

/** Returns a text in YAML, in quotes unless plain text is safe. */
function toYamlText(text: string): string {
  return /^[a-z][\w./-]*$/i.test(text) ? text : JSON.stringify(text);
}

function describeForm({ const: constant, enum: listed, ...form }: Form): string | undefined {
  if (constant !== undefined) return JSON.stringify(constant);
  if (listed !== undefined) return listed.map((value) => JSON.stringify(value)).join(' or ');
  if (form.type === 'integer') return `a whole number${describeRange(form)}`;
  return form.type === 'number' ? `a number${describeRange(form)}` : TYPE_NAMES.get(form.type);
}

const TYPE_NAMES: ReadonlyMap<unknown, string> = new Map([
  ['boolean', 'true or false'],
  ['string', 'a text'],
  ['array', 'a list'],
  ['object', 'a section of keys (key: value)'],
  ['null', 'null'],
]);

/** Describes the bounds, without the limits of safe integers, which zod adds to every integer. */
function describeRange({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Form): string {
  const min = statedBound(minimum);
  const max = statedBound(maximum);
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  const above = statedBound(exclusiveMinimum);
  const below = statedBound(exclusiveMaximum);
  const bounds = [
    min === undefined ? [] : `at least ${min}`,
    above === undefined ? [] : `more than ${above}`,
    max === undefined ? [] : `at most ${max}`,
    below === undefined ? [] : `less than ${below}`,
  ].flat();
  return bounds.length === 0 ? '' : ` of ${bounds.join(' and ')}`;
}

function statedBound(bound: number | boolean | undefined): number | undefined {
  return typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;
}

function formsBelow(form: Form, key: PropertyKey): readonly Form[] {
  const { properties = {}, items, additionalProperties } = form;
  const property = typeof key === 'string' ? properties[key] : undefined;
  return [property, items, additionalProperties].flatMap((part) => (isForm(part) ? expandForm(part) : []));
}

function expandForm(form: Form): readonly Form[] {
  const parts = [...(form.anyOf ?? []), ...(form.oneOf ?? []), ...(form.allOf ?? [])];
  return [form, ...parts.flatMap((part) => (isForm(part) ? expandForm(part) : []))];
}

function isForm(part: unknown): part is Form {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}
