/** Text and types of the dashboard's API and the documents of its page, made from `schema.graphql`: `npm run codegen` writes them, a test compares. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isObjectType,
  isScalarType,
  parse,
} from 'graphql';

const SCALARS = {
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

/** Each file's text, by its path in `src/dashboard/`. */
export async function generateDashboard(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    [
      'generated/schema-sdl.ts',
      `/** The API's schema. ${MADE} */\nexport const DASHBOARD_SDL = ${JSON.stringify(SDL)};\n`,
    ],
    ['generated/schema-types.ts', await types()],
    ['generated/documents.ts', documents()],
  ]);
}

async function types(): Promise<string> {
  const text = await codegen({
    filename: 'schema-types.ts',
    schema: parse(SDL),
    documents: [],
    config: {
      scalars: SCALARS,
      strictScalars: true,
      enumsAsTypes: true,
      immutableTypes: true,
      skipTypename: true,
      avoidOptionals: { object: true, field: true },
      maybeValue: 'T | null',
      // They are in `schema.graphql`.
      disableDescriptions: true,
    },
    plugins: [{ typescript: {} }],
    pluginMap: { typescript },
  });
  return `/** Types of the dashboard's API, as JSON has them; schema.graphql describes them. ${MADE} */\n${text}`;
}

/** One document for each field of the root types, with all that it can answer. */
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
  const needless = field.args.filter((arg) => arg.defaultValue !== undefined).map((arg) => `'${arg.name}'`);
  const type =
    needless.length === 0
      ? variables
      : `Omit<${variables}, ${needless.join(' | ')}> & Partial<Pick<${variables}, ${needless.join(' | ')}>>`;
  return `export const ${name}: Document<Pick<Api.${root}, '${field.name}'>, ${type}> = {\n  text: '${text}',\n};`;
}

/** Every field, to any depth: the schema has no circle. */
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
