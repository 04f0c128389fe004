/** JSON schemas as tables for people: key, value, meaning. */
import { z } from 'zod';
import { LIMIT_KEYS, LIMIT_UNITS, LIMITS, riskSchema } from '../../src/risk/index.ts';
import type { OPERATOR_COMMANDS } from '../../src/server/index.ts';

/** The part of a JSON schema that is read here. */
type JsonSchema = z.core.JSONSchema.BaseSchema;

interface Row {
  readonly key: string;
  readonly value: string;
  readonly meaning: string;
}

/**
 * A Markdown table of all keys. Keys inside others are dotted, those of a list's entries follow `[]`, those under
 * any name `*`; forms of a section are
 * distinguished by their `model`, or by which keys they have.
 */
export function configTable(schema: z.ZodType): string {
  const rows = rowsOf(z.toJSONSchema(schema, { io: 'input' }), '');
  const lines = rows.map(({ key, value, meaning }) => `| \`${key}\` | ${cell(value)} | ${cell(meaning)} |`);
  return ['| Key | Value | Meaning |', '|---|---|---|', ...lines, ''].join('\n');
}

/** A Markdown section for each command of an operator. */
export function operatorReference(commands: typeof OPERATOR_COMMANDS): string {
  return Object.entries(commands)
    .map(([name, { summary, schema }]) => {
      const isBare = Object.keys(schema.shape).length === 0;
      return `### ${name}\n\n${summary}\n${isBare ? '' : `\n${configTable(schema)}`}`;
    })
    .join('\n');
}

/** A Markdown table of the refusals of limits. */
export function limitTable(): string {
  const lines = LIMIT_KEYS.map((key) => {
    const { code, unit, description } = LIMITS[key];
    return `| \`${code}\` | \`${key}\`: ${cell(description)} | ${LIMIT_UNITS[unit].refusalUnit} |`;
  });
  return ['| Code | Limit | Unit |', '|---|---|---|', ...lines, ''].join('\n');
}

/** The section of a configuration with each limit, its default and its meaning. */
export function riskSection(): string {
  const { properties = {} } = z.toJSONSchema(riskSchema, { io: 'input' });
  const lines = Object.entries(properties).map(([key, limit]) => {
    const { default: preset, description = '' }: JsonSchema = isSchema(limit) ? limit : {};
    return `  ${key}: ${preset} # ${description.replace(/ Default .*$/, '')}\n`;
  });
  return `risk:\n${lines.join('')}`;
}

function rowsOf(schema: JsonSchema, prefix: string): readonly Row[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (!isSchema(property)) return [];
    const key = `${prefix}${name}`;
    const value = `${valueText(property)}${required.has(name) && property.const === undefined ? ', required' : ''}`;
    return [{ key, value, meaning: property.description ?? '' }, ...innerRows(property, key)];
  });
}

function innerRows(schema: JsonSchema, key: string): readonly Row[] {
  if (isSchema(schema.items)) return innerRows(schema.items, `${key}[]`);
  if (isSchema(schema.additionalProperties)) return innerRows(schema.additionalProperties, `${key}.*`);
  const forms = formsOf(schema);
  if (forms.length === 0) return rowsOf(schema, `${key}.`);
  const rows = forms.flatMap((form) => {
    const tag = tagOf(form);
    // The section's own entry says which keys are required.
    if (tag === undefined) return rowsOf({ ...form, required: [] }, `${key}.`);
    const [name, { const: value }] = [tag[0], isSchema(tag[1]) ? tag[1] : {}];
    const title = `${key} (${name}: ${String(value)})`;
    const rest = Object.fromEntries(Object.entries(form.properties ?? {}).filter(([part]) => part !== name));
    return rowsOf({ ...form, properties: rest }, `${title}.`);
  });
  return [...new Map(rows.map((row) => [row.key, row])).values()];
}

function valueText(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((one) => `\`${String(one)}\``).join(', ');
  const forms = formsOf(schema);
  if (forms.length > 0) {
    const tags = forms.flatMap((form) =>
      Object.entries(form.properties ?? {}).flatMap(([name, part]) =>
        isSchema(part) && part.const !== undefined ? [`${name}: ${String(part.const)}`] : [],
      ),
    );
    return tags.length > 0
      ? `one of ${tags.map((tag) => `\`${tag}\``).join(', ')}`
      : [...new Set(forms.map(formText))].join(' or ');
  }
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => valueText({ ...schema, type })).join(' or ');
  }
  switch (schema.type) {
    case 'object':
      return schema.properties === undefined ? 'keys of its own' : 'section';
    case 'array':
      return `list of ${isSchema(schema.items) ? valueText(schema.items) : 'anything'}`;
    case 'integer':
      return `whole number${rangeText(schema)}`;
    case 'number':
      return `number${rangeText(schema)}`;
    case 'boolean':
      return '`true`, `false`';
    case 'null':
      return '`null`';
    case 'string':
      return 'text';
    default:
      return 'anything';
  }
}

function rangeText(schema: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const least = exclusiveMinimum === undefined ? minimum : undefined;
  const most = exclusiveMaximum === undefined ? maximum : undefined;
  const parts = [
    exclusiveMinimum === undefined ? undefined : `above ${exclusiveMinimum}`,
    bounded(least) ? `from ${least}` : undefined,
    exclusiveMaximum === undefined ? undefined : `below ${exclusiveMaximum}`,
    bounded(most) ? `to ${most}` : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : `, ${parts.join(' ')}`;
}

/** Whether a bound says more than "fits into a number". */
function bounded(bound: number | undefined): boolean {
  return bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}

/** One of several forms, distinguished by its keys. */
function formText(form: JsonSchema): string {
  return form.properties === undefined ? valueText(form) : `\`{ ${Object.keys(form.properties).join(', ')} }\``;
}

/** The key whose one value names the form. */
function tagOf(form: JsonSchema): [string, unknown] | undefined {
  return Object.entries(form.properties ?? {}).find(([, part]) => isSchema(part) && part.const !== undefined);
}

function formsOf(schema: JsonSchema): readonly JsonSchema[] {
  return [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap((form) => (isSchema(form) ? [form] : []));
}

function isSchema(part: unknown): part is JsonSchema {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}
