/** Generates schema text, types and documents of the dashboard from `schema.graphql`: `npm run codegen`, and a test. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNamedType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from 'graphql';

const SCALARS: Readonly<Record<string, string>> = {
  String: 'string',
  Boolean: 'boolean',
  Int: 'number',
  Float: 'number',
  ID: 'string',
  Time: 'number',
  MicroUsd: 'number',
  MicroShares: 'number',
  Bps: 'number',
  Json: 'unknown',
};

export const DASHBOARD_FOLDER = join(import.meta.dirname, '../../../src/dashboard');
const SDL = readFileSync(join(DASHBOARD_FOLDER, 'schema.graphql'), 'utf8');
const MADE = 'Made by `npm run codegen`: do not edit.';

/** The text of each file by its path in `src/dashboard/`. */
export function generateDashboard(): ReadonlyMap<string, string> {
  return new Map([
    [
      'generated/schema-sdl.ts',
      `/** The API's schema. ${MADE} */\nexport const DASHBOARD_SDL = ${JSON.stringify(SDL)};\n`,
    ],
    ['generated/schema-types.ts', types()],
    ['generated/documents.ts', documents()],
  ]);
}

/** Returns the types. `schema.graphql` describes their fields. */
function types(): string {
  const all = Object.values(buildSchema(SDL).getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const text = all.flatMap((type) => {
    if (isEnumType(type)) return [`export type ${type.name} = ${type.getValues().map(literalOf).join(' | ')};\n`];
    if (isInputObjectType(type)) return [printType(type.name, Object.values(type.getFields()))];
    if (!isObjectType(type)) return [];
    const withArgs = Object.values(type.getFields()).filter(({ args }) => args.length > 0);
    const args = withArgs.map((field) => printType(`${type.name}${upper(field.name)}Args`, field.args));
    return [printType(type.name, Object.values(type.getFields())), ...args];
  });
  return `/** Types of the dashboard's API, as JSON has them; schema.graphql describes them. ${MADE} */\n${text.join('\n')}`;
}

function literalOf({ name }: { readonly name: string }): string {
  return `'${name}'`;
}

interface Member {
  readonly name: string;
  readonly type: GraphQLType;
  readonly defaultValue?: unknown;
}

function printType(name: string, members: readonly Member[]): string {
  const lines = members.map(
    (member) => `  readonly ${member.name}${member.defaultValue === undefined ? '' : '?'}: ${typeText(member.type)};\n`,
  );
  return `export type ${name} = {\n${lines.join('')}};\n`;
}

function typeText(type: GraphQLType): string {
  if (!isNonNullType(type)) return `${presentText(type)} | null`;
  return presentText(type.ofType);
}

function presentText(type: GraphQLType): string {
  if (isListType(type)) return `ReadonlyArray<${typeText(type.ofType)}>`;
  return isNamedType(type) ? (SCALARS[type.name] ?? type.name) : typeText(type);
}

/** Returns one document for each field of the root types, with all fields of its result. */
function documents(): string {
  const schema = buildSchema(SDL);
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  const lines = Object.entries(roots).flatMap(([operation, root]) =>
    Object.values(root?.getFields() ?? {}).map((field) => printDocument(operation, field, root?.name ?? '')),
  );
  return `/** Documents of the page: one for each field of the API, with all that it answers. ${MADE} */
import type * as Api from './schema-types.ts';

/** The text of an operation; its types are those of its answer and its variables. */
export interface Document<Answer, Variables> {
  readonly text: string;
  readonly types?: readonly [Answer, Variables];
}

${lines.join('\n')}
`;
}

function printDocument(operation: string, field: GraphQLField<unknown, unknown>, root: string): string {
  const name = `${field.name}${operation === 'query' ? 'Query' : operation === 'mutation' ? 'Mutation' : 'Subscription'}`;
  const declared = field.args.map(
    (arg) =>
      `$${arg.name}: ${String(arg.type)}${arg.defaultValue === undefined ? '' : ` = ${printValue(arg.defaultValue)}`}`,
  );
  const passed = field.args.map((arg) => `${arg.name}: $${arg.name}`);
  const text = `${operation}${declared.length === 0 ? '' : ` (${declared.join(', ')})`} { ${field.name}${
    passed.length === 0 ? '' : `(${passed.join(', ')})`
  }${selection(field.type)} }`;
  const variables = field.args.length === 0 ? 'Record<string, never>' : `Api.${root}${upper(field.name)}Args`;
  const optional = field.args.filter((arg) => arg.defaultValue !== undefined).map((arg) => `'${arg.name}'`);
  const type =
    optional.length === 0
      ? variables
      : `Omit<${variables}, ${optional.join(' | ')}> & Partial<Pick<${variables}, ${optional.join(' | ')}>>`;
  return `export const ${name}: Document<Pick<Api.${root}, '${field.name}'>, ${type}> = {\n  text: '${text}',\n};`;
}

/** Selects every field at any depth. The schema has no cycles. */
function selection(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (isScalarType(named) || isEnumType(named)) return '';
  if (!isObjectType(named)) throw new Error(`no selection of ${named.name}`);
  return ` { ${fields(named)} }`;
}

function fields(type: GraphQLObjectType): string {
  return Object.values(type.getFields())
    .map((field) => `${field.name}${selection(field.type)}`)
    .join(' ');
}

function printValue(value: unknown): string {
  if (typeof value === 'object') return '{}';
  return String(value);
}

function upper(name: string): string {
  return name[0]?.toUpperCase() + name.slice(1);
}
