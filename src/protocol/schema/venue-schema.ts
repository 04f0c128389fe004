/**
 * The schema that a server runs, with the scalars of the API. Inputs: a value that is not a JSON string fails the
 * request. Strings stay unchecked (`Raw`) until a resolver reads them, so that an invalid string fails only its field.
 * Outputs: internal values (`EpochMs`, integers) become text. An invalid value is a broken invariant. `Int` accepts any
 * safe integer, because GraphQL's limit of 2^31 cents is $21.47M.
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
import { epochMs, isRecord } from '../../domain/index.ts';
import { isHexText } from '../codec/bytes.ts';
import { intText, uintText } from '../codec/integers.ts';
import { timeText } from '../codec/time.ts';
import { SCHEMA_SDL } from '../schema-sdl.ts';

/** Temporary name of `Int` while the schema is built, because `buildASTSchema` supports only GraphQL's own `Int`. */
const SAFE_INT = 'SafeInt';

/** Builds an executable schema without resolvers. */
export function venueSchema(): GraphQLSchema {
  const document = parse(`${SCHEMA_SDL}\nscalar ${SAFE_INT}`, { noLocation: true });
  const withSafeInt: DocumentNode = visit(document, {
    NamedType: (node) => (node.name.value === 'Int' ? { ...node, name: { ...node.name, value: SAFE_INT } } : undefined),
  });
  const built = buildASTSchema(withSafeInt, { assumeValidSDL: true });
  const safeInt = built.getType(SAFE_INT);
  if (!isScalarType(safeInt)) throw new Error(`Invariant: ${SAFE_INT} is not a scalar of the schema`);
  for (const type of Object.values(built.getTypeMap())) {
    if (isScalarType(type) && type !== safeInt && !isSpecifiedScalarType(type)) configureScalar(type);
  }
  Object.assign(safeInt, createSafeInt());
  // A schema indexes its types by name, so renaming the type needs a second schema.
  return new GraphQLSchema(built.toConfig());
}

const SERIALIZERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  Time: (value) => timeText(epochMs(requireSafeInteger('Time', value))),
  Cursor: (value) => (typeof value === 'string' ? value : refuseOutput('a Cursor', value)),
  UintString: (value) => uintText(requireInteger('UintString', value)),
  IntString: (value) => intText(requireInteger('IntString', value)),
  Hex: (value) => (typeof value === 'string' && isHexText(value) ? value : refuseOutput('lower-case hex', value)),
};

function configureScalar(scalar: GraphQLScalarType): void {
  const serialize = SERIALIZERS[scalar.name];
  if (serialize !== undefined) {
    scalar.serialize = serialize;
    scalar.parseValue = (value) => readString(scalar.name, value);
    scalar.parseLiteral = (literal) => readLiteral(scalar.name, literal);
  } else {
    scalar.serialize = (value) => (isRecord(value) ? value : refuseOutput('TypedData', value));
    scalar.parseValue = () => refuseInput(scalar.name);
    scalar.parseLiteral = () => refuseInput(scalar.name);
  }
}

function createSafeInt(): GraphQLScalarType<number, number> {
  return new GraphQLScalarType({
    name: 'Int',
    description: 'Whole number from -(2^53 - 1) to 2^53 - 1: amounts in cents may exceed 32 bits.',
    serialize: (value) => requireSafeInteger('Int', value),
    parseValue: (value) => {
      const integer = toSafeInteger(value);
      if (integer !== undefined) return integer;
      throw new GraphQLError(`Int cannot represent ${toShownText(value)}: it takes whole numbers within 2^53 - 1`);
    },
    parseLiteral: (literal) => {
      const integer = literal.kind === Kind.INT ? toSafeInteger(Number(literal.value)) : undefined;
      if (integer !== undefined) return integer;
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

function refuseOutput(expected: string, value: unknown): never {
  throw new TypeError(`Invariant: ${toShownText(value)} is not ${expected}`);
}

function requireSafeInteger(name: string, value: unknown): number {
  return toSafeInteger(value) ?? refuseOutput(`a ${name}`, value);
}

function toSafeInteger(value: unknown): number | undefined {
  // Adding 0 turns -0 into 0.
  return typeof value === 'number' && Number.isSafeInteger(value) ? value + 0 : undefined;
}

function requireInteger(name: string, value: unknown): number | bigint {
  return typeof value === 'bigint' ? value : requireSafeInteger(name, value);
}

function toShownText(value: unknown): string {
  return typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value)?.slice(0, 80) ?? String(value));
}
