/** The reference of the API, made from the SDL: a page for each kind of operation, one of types, one that leads to them. */
import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { ACCESS, type Access, isRootField, type RootField, SCHEMA_SDL } from '../../src/protocol/index.ts';
import {
  curlBlock,
  EXAMPLE_HOST,
  type Example,
  exampleDocument,
  fetchBlock,
  LOGIN_BLOCK,
  streamBlock,
} from './example-blocks.ts';
import { ENVIRONMENT, EXAMPLES } from './examples.ts';

/** An operation with all that is said of it. */
interface DescribedOperation {
  readonly name: RootField;
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly field: GraphQLField<unknown, unknown>;
  readonly example: Example;
}

/** What is called how, in the plural. */
const KINDS = { query: 'queries', mutation: 'mutations', subscription: 'subscriptions' } as const;

/** Pages by path relative to the project. */
export function apiPages(): readonly { readonly path: string; readonly text: string }[] {
  const schema = buildSchema(SCHEMA_SDL);
  const operations = describedOperations(schema);
  const kinds = ['query', 'mutation', 'subscription'] as const;
  const own = kinds.map((kind) => ({ kind, operations: operations.filter((one) => one.kind === kind) }));
  return [
    { path: 'docs/api.md', text: leading(own) },
    ...own.map((one) => ({ path: `docs/api/${KINDS[one.kind]}.md`, text: operationsPage(one.kind, one.operations) })),
    { path: 'docs/api/types.md', text: typesPage(schema) },
  ].map(({ path, text }) => ({ path, text: withLinks(text, path === 'docs/api.md' ? '' : '../') }));
}

/** Turns citations of pages, such as `docs/spec/venue.md#limits`, into links. `up` leads from the page to `docs/`. */
function withLinks(text: string, up: string): string {
  return text.replace(/\bdocs\/([\w/-]+\.md#[\w-]+)/g, (cited, target: string) => `[${cited}](${up}${target})`);
}

/** All operations of the schema, in its order. @throws RangeError for one without an example */
function describedOperations(schema: GraphQLSchema = buildSchema(SCHEMA_SDL)): readonly DescribedOperation[] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const;
  return roots.flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => {
      const { name } = field;
      if (!isRootField(name)) throw new RangeError(`Invariant: ${name} has no example`);
      const variables = EXAMPLES[name];
      const document = exampleDocument(kind, field, Object.keys(variables));
      const access = ACCESS[name];
      return { name, kind, field, example: { document, variables, isProtected: !isOpen(access) } };
    }),
  );
}

function isOpen(access: Access): boolean {
  return access === 'PUBLIC' || access === 'ARGUMENT';
}

function leading(
  kinds: readonly {
    readonly kind: 'query' | 'mutation' | 'subscription';
    readonly operations: readonly DescribedOperation[];
  }[],
): string {
  return [
    '# API',
    '',
    MADE,
    '',
    'Every operation of a venue, from its schema, each with an example for `npx halfspread serve --seed`. Queries and',
    `mutations go by POST to \`http://${EXAMPLE_HOST}/graphql\`, subscriptions over \`graphql-transport-ws\` to the same path.`,
    'Types are on a [page of their own](api/types.md), rules of errors and units in [protocol.md](protocol.md).',
    '',
    'Examples take what differs from one to another out of the environment:',
    '',
    '| Variable | |',
    '|---|---|',
    ...Object.entries(ENVIRONMENT).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`),
    '',
    'The first of them are printed by a login; `PRIVATE_KEY` is 64 hex digits, of a key that needs to own nothing:',
    '',
    '```ts',
    LOGIN_BLOCK,
    '```',
    '',
    'What is signed is an EIP-712 message: [signing.md](signing.md). A field that is refused by rules of trade has no error but a',
    '[`rejection`](api/types.md#rejection) in its answer: look there first.',
    '',
    ...kinds.flatMap(({ kind, operations }) => [
      `## ${titled(KINDS[kind])}`,
      '',
      '| | Who | |',
      '|---|---|---|',
      ...operations.map(
        ({ name, field }) =>
          `| [\`${name}\`](api/${KINDS[kind]}.md#${name.toLowerCase()}) | ${WHO_SHORT[ACCESS[name]]} | ${cell(field.description)} |`,
      ),
      '',
    ]),
  ].join('\n');
}

function operationsPage(
  kind: 'query' | 'mutation' | 'subscription',
  operations: readonly DescribedOperation[],
): string {
  const intro = `What the variables of the examples stand for is on the [first page](../api.md).`;
  return [`# ${titled(KINDS[kind])}`, '', MADE, '', intro, '', ...operations.map(section)].join('\n');
}

function section({ name, kind, field, example }: DescribedOperation): string {
  const blocks =
    kind === 'subscription'
      ? [['ts', streamBlock(example)]]
      : [
          ['sh', curlBlock(example)],
          ['ts', fetchBlock(example)],
        ];
  const args = field.args.map(({ name: arg, type, defaultValue, description }) => ({
    name: arg,
    type,
    description,
    preset: defaultValue,
  }));
  return [
    `## ${name}`,
    '',
    field.description ?? '',
    '',
    `Answers ${linked(field.type, 'types.md')}. ${WHO[ACCESS[name]]}`,
    '',
    ...(args.length === 0 ? [] : memberTable('Argument', args, 'types.md')),
    ...blocks.flatMap(([language, text]) => [`\`\`\`${language}`, text, '```', '']),
  ].join('\n');
}

function typesPage(schema: GraphQLSchema): string {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const own = Object.values(schema.getTypeMap())
    .filter(
      (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type) && !roots.some((root) => root === type),
    )
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return [
    '# Types',
    '',
    MADE,
    '',
    '`Int` is any safe integer. `!` says: never null.',
    '',
    ...own.map(typeSection),
  ].join('\n');
}

function typeSection(type: GraphQLNamedType): string {
  return [`## ${type.name}`, '', ...(type.description ? [type.description, ''] : []), ...membersOf(type)].join('\n');
}

function membersOf(type: GraphQLNamedType): readonly string[] {
  if (isEnumType(type)) {
    const rows = type.getValues().map(({ name, description }) => `| \`${name}\` | ${cell(description)} |`);
    return ['| Value | Meaning |', '|---|---|', ...rows, ''];
  }
  if (isObjectType(type)) return memberTable('Field', Object.values(type.getFields()), '');
  if (!isInputObjectType(type)) return [];
  const fields = Object.values(type.getFields());
  return memberTable(
    'Field',
    fields.map((field) => ({ ...field, preset: field.defaultValue })),
    '',
  );
}

interface Member {
  readonly name: string;
  readonly type: GraphQLType;
  readonly description?: string | null | undefined;
  readonly preset?: unknown;
}

function memberTable(title: string, members: readonly Member[], page: string): readonly string[] {
  const rows = members.map(({ name, type, description, preset }) => {
    const words = [description, preset === undefined ? '' : `Default \`${String(preset)}\`.`].filter(Boolean).join(' ');
    return `| \`${name}\` | ${linked(type, page)} | ${cell(words)} |`;
  });
  return [`| ${title} | Type | |`, '|---|---|---|', ...rows, ''];
}

/** A type's name, with a link where it is one of the schema's own. */
function linked(type: GraphQLType, page: string): string {
  const named = getNamedType(type);
  const shown = `\`${String(type)}\``;
  return isSpecifiedScalarType(named) ? shown : `[${shown}](${page}#${named.name.toLowerCase()})`;
}

function cell(text: string | null | undefined): string {
  return (text ?? '').replaceAll('|', '\\|').replace(/\s+/g, ' ');
}

function titled(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

const MADE = '<!-- Made by `npm run docs` from the schema: do not edit. -->';

const WHO_SHORT: Readonly<Record<Access, string>> = {
  PUBLIC: 'anybody',
  ARGUMENT: 'anybody, by the argument',
  SESSION: 'sessions only',
  READ: '`READ`',
  TRADE: '`TRADE`',
  WITHDRAW: '`WITHDRAW`',
  CREATE_MARKET: '`CREATE_MARKET`',
};

const WHO: Readonly<Record<Access, string>> = {
  PUBLIC: 'For anybody, without credentials.',
  ARGUMENT: 'Without credentials: the argument is the proof.',
  SESSION: 'For a session; API keys are refused.',
  READ: 'For a session, or an API key with scope `READ`.',
  TRADE: 'For a session, or an API key with scope `TRADE`.',
  WITHDRAW: 'For a session, or an API key with scope `WITHDRAW`.',
  CREATE_MARKET: 'For a session, or an API key with scope `CREATE_MARKET`.',
};
