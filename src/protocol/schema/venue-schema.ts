/**
 * The schema that a server runs, with the scalars of the API.
 *
 * Inputs: a value that is not a JSON string fails the request. Strings stay unchecked (`Raw`) until a resolver reads
 * them, so that an invalid string fails only its field. Outputs: internal values (`EpochMs`, integers) become text. An
 * invalid value is a broken invariant. `Int` accepts any safe integer, because GraphQL's limit of 2^31 cents is
 * $21.47M.
 */
import {
  buildASTSchema,
  type DocumentNode,
  GraphQLError,
  GraphQLScalarType,
  GraphQLSchema,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  parse,
  print,
  type ValueNode,
  visit,
} from 'graphql';
import { epochMs } from '../../domain/index.ts';
import { isHexText } from '../codec/bytes.ts';
import { intText, uintText } from '../codec/integers.ts';
import { timeText } from '../codec/time.ts';
import { SCHEMA_SDL } from '../schema-sdl.ts';

/** Temporary name of `Int` while the schema is built, because `buildASTSchema` supports only GraphQL's own `Int`. */
const WIDE_INT = 'SafeInt';

/** Builds an executable schema without resolvers. */
export function venueSchema(): GraphQLSchema {
  const document = parse(`${SCHEMA_SDL}\nscalar ${WIDE_INT}`, { noLocation: true });
  const built = buildASTSchema(withWideInt(document), { assumeValidSDL: true });
  const wide = built.getType(WIDE_INT);
  if (!isScalarType(wide)) throw new Error(`Invariant: ${WIDE_INT} is not a scalar of the schema`);
  for (const type of Object.values(built.getTypeMap())) {
    if (isScalarType(type) && type !== wide && !isSpecifiedScalarType(type)) configureScalar(type);
  }
  Object.assign(wide, createSafeInt());
  // A schema indexes its types by name, so renaming the type needs a second schema.
  return new GraphQLSchema(built.toConfig());
}

function withWideInt(document: DocumentNode): DocumentNode {
  return visit(document, {
    NamedType: (node) => (node.name.value === 'Int' ? { ...node, name: { ...node.name, value: WIDE_INT } } : undefined),
  });
}

/** Functions that serialize a value, by scalar. */
const SERIALIZERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  Time: (value) => timeText(epochMs(requireSafeInteger('Time', value))),
  Cursor: (value) => requireText('Cursor', value),
  UintString: (value) => uintText(requireInteger('UintString', value)),
  IntString: (value) => intText(requireInteger('IntString', value)),
  Hex: (value) => requireHex(value),
};

function configureScalar(scalar: GraphQLScalarType): void {
  const serialize = SERIALIZERS[scalar.name];
  if (serialize !== undefined) {
    scalar.serialize = serialize;
    scalar.parseValue = (value) => readString(scalar.name, value);
    scalar.parseLiteral = (literal) => readLiteral(scalar.name, literal);
  } else {
    scalar.serialize = requireObject;
    scalar.parseValue = () => refuseInput(scalar.name);
    scalar.parseLiteral = () => refuseInput(scalar.name);
  }
}

function createSafeInt(): GraphQLScalarType<number, number> {
  return new GraphQLScalarType({
    name: 'Int',
    description: 'Whole number from -(2^53 - 1) to 2^53 - 1: amounts in cents pass 32 bits.',
    serialize: (value) => requireSafeInteger('Int', value),
    parseValue: (value) => {
      if (typeof value === 'number' && Number.isSafeInteger(value)) return value + 0;
      throw new GraphQLError(`Int cannot represent ${toShownText(value)}: it takes whole numbers within 2^53 - 1`);
    },
    parseLiteral: (literal) => {
      const value = literal.kind === Kind.INT ? Number(literal.value) : Number.NaN;
      if (Number.isSafeInteger(value)) return value + 0;
      const problem = `Int cannot represent ${print(literal)}: it takes whole numbers within 2^53 - 1`;
      throw new GraphQLError(problem, { nodes: literal });
    },
  });
}

function readString(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new GraphQLError(`${name} cannot represent ${toShownText(value)}: it takes strings`);
}

function readLiteral(name: string, literal: ValueNode): string {
  if (literal.kind === Kind.STRING) return literal.value;
  throw new GraphQLError(`${name} cannot represent ${print(literal)}: it takes strings`, { nodes: literal });
}

function refuseInput(name: string): never {
  throw new GraphQLError(`${name} is allowed only in answers`);
}

function requireSafeInteger(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value + 0;
  throw new TypeError(`Invariant: ${toShownText(value)} is not a ${name}`);
}

function requireInteger(name: string, value: unknown): number | bigint {
  return typeof value === 'bigint' ? value : requireSafeInteger(name, value);
}

function requireText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`Invariant: ${toShownText(value)} is not a ${name}`);
}

function requireHex(value: unknown): string {
  const digits = requireText('Hex', value);
  if (isHexText(digits)) return digits;
  throw new TypeError(`Invariant: ${toShownText(digits)} is not lower-case hex`);
}

function requireObject(value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new TypeError(`Invariant: ${toShownText(value)} is not TypedData`);
}

function toShownText(value: unknown): string {
  return typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value)?.slice(0, 80) ?? String(value));
}
