/**
 * Prints the types of resolvers: the raw arguments and the result of each field.
 *
 * Object types are parameters: a field's result is `M['Market']`, the server's own type of a market. (The usual codegen
 * plugin would import the server's types into this lower layer, or fall back to `any`.)
 */
import {
  buildASTSchema,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

const PLAIN: Readonly<Record<string, string>> = {
  String: 'string',
  Boolean: 'boolean',
  Int: 'number',
  Float: 'number',
};
const RAW = new Set(['Time', 'Cursor', 'UintString', 'IntString', 'Hex', 'ID']);
const RESULT_TYPES: Readonly<Record<string, string>> = {
  ...PLAIN,
  ID: 'string',
  Time: 'EpochMs',
  Cursor: 'string',
  UintString: 'number | bigint',
  IntString: 'number | bigint',
  Hex: 'string',
  TypedData: 'object',
};

/** Prints the file without its first line. */
export function printResolverTypes(document: DocumentNode): string {
  const schema = buildASTSchema(document);
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(isObjectType);
  const text = fields(
    types.filter(isObjectType).filter((type) => !roots.includes(type)),
    roots,
  );
  return `${imports(types, text)}\n\n${text}\n${MODELS}`;
}

/** Prints input types: raw for the server, and as JSON for clients. */
export function printInputs(schema: GraphQLSchema): string {
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);
  const json = inputs.map(({ name }) => `export type ${name} = JsonOf<Raw${name}>;`);
  return ["import type { JsonOf, Raw } from '../field.ts';", '', ...inputs.map(rawInput), ...json, '\n'].join('\n');
}

function rawInput(type: GraphQLInputObjectType): string {
  const members = Object.values(type.getFields()).map((field) => `  readonly ${argument(field)};`);
  return `/** Input before validation. ${type.description} */\nexport interface Raw${type.name} {\n${members.join('\n')}\n}\n`;
}

/** Prints enums as string unions. The schema describes their values. */
export function printEnums(schema: GraphQLSchema): string {
  const enums = Object.values(schema.getTypeMap()).filter(isEnumType);
  return enums
    .filter(({ name }) => !name.startsWith('__'))
    .map(printEnum)
    .join('');
}

function printEnum(type: GraphQLEnumType): string {
  const values = type.getValues().map(({ name }) => `'${name}'`);
  return `/** ${type.description} */\nexport type ${type.name} = ${values.join(' | ')};\n`;
}

/** Prints the imports. @param text the code that uses them */
function imports(types: readonly GraphQLNamedType[], text: string): string {
  const names = [
    ...types.filter(isEnumType).map(({ name }) => name),
    ...types.filter(isInputObjectType).map(({ name }) => `Raw${name}`),
  ].filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return [
    "import type { EpochMs } from '../../domain/index.ts';",
    "import type { Field, Raw } from '../field.ts';",
    `import type { ${names.sort().join(', ')} } from './schema-types.ts';`,
  ].join('\n');
}

/** Object types have no arguments. Each root field has its arguments and its result. */
function fields(objects: readonly GraphQLObjectType[], roots: readonly GraphQLObjectType[]): string {
  return [
    "/** The fields of each object type. `M` maps object types to the server's own types. */",
    'interface ObjectFields<M extends Models> {',
    ...objects.flatMap((type) => members(type, ({ name, type: result }) => `${name}: ${output(result)};`)),
    '}',
    '',
    '/** Arguments and result of each field of the root types. */',
    'export interface RootFields<M extends Models> {',
    ...roots.flatMap((type) => members(type, rootField)),
    '}',
  ].join('\n');
}

function members(type: GraphQLObjectType, print: (field: GraphQLField<unknown, unknown>) => string): readonly string[] {
  return [`  readonly ${type.name}: {`, ...fillLines(Object.values(type.getFields()).map(print)), '  };'];
}

function rootField({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const argumentTypes = args.map((arg) => `readonly ${argument(arg)}`).join('; ');
  return `readonly ${name}: Field<${argumentTypes === '' ? 'NoArgs' : `{ ${argumentTypes} }`}, ${output(type)}>;`;
}

/** Fills lines of at most 120 columns with members. */
function fillLines(members: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const each of members) {
    const longer = `${lines.at(-1)} ${each}`;
    if (lines.length > 0 && longer.length <= 120) lines.splice(-1, 1, longer);
    else lines.push(`    ${each}`);
  }
  return lines;
}

const MODELS = `
/** The arguments of a field without arguments. */
export type NoArgs = Readonly<Record<string, never>>;

/** Names of all object types except the three root types. */
export type ObjectName = keyof ObjectFields<never>;

/** The server's own type of each object type. */
export type Models = Readonly<Record<ObjectName, unknown>>;

/** Object types with all fields resolved. A server replaces some of them with its own types. */
export type PlainModels<M extends Models> = { readonly [Name in ObjectName]: Readonly<ObjectFields<M>[Name]> };
`;

/** A member with a default is always present, but may be null, because GraphQL passes an explicit null on. */
function argument({ name, type, defaultValue }: GraphQLArgument | GraphQLInputField): string {
  const isPresent = isNonNullType(type) || defaultValue !== undefined;
  return `${name}${isPresent ? '' : '?'}: ${input(type)}${isPresent ? '' : ' | undefined'}`;
}

function input(type: GraphQLInputType, nullable = true): string {
  if (isNonNullType(type)) return input(type.ofType, false);
  const text = isListType(type) ? `ReadonlyArray<${input(type.ofType)}>` : namedInput(type);
  return nullable ? `${text} | null` : text;
}

function namedInput(type: GraphQLEnumType | GraphQLInputObjectType | GraphQLScalarType): string {
  if (RAW.has(type.name)) return `Raw<'${type.name}'>`;
  return PLAIN[type.name] ?? (isInputObjectType(type) ? `Raw${type.name}` : type.name);
}

function output(type: GraphQLOutputType, nullable = true): string {
  if (isNonNullType(type)) return output(type.ofType, false);
  const text = isListType(type)
    ? `ReadonlyArray<${output(type.ofType)}>`
    : isObjectType(type)
      ? `M['${type.name}']`
      : (RESULT_TYPES[type.name] ?? type.name);
  return nullable ? `${text} | null` : text;
}
