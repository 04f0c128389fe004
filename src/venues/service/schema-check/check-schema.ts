/**
 * Whether a venue can be traded on: its schema, by introspection, against what the bot needs.
 *
 * Two looks: each document as it is sent (an operator's own too) is validated against the venue's schema, which finds
 * everything that would be refused; and what the contract's documents use is compared with the venue's, which finds what
 * would be answered otherwise. What the documents do not use may differ as it likes.
 */

import {
  buildSchema,
  type DocumentNode,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { OPERATIONS, type RootField, SCHEMA_SDL } from '../../../protocol/index.ts';
import type { OperationTexts } from '../transport/index.ts';

/** Parts of the contract that a bot needs. Other parts may be missing. */
export const NEEDED_OPERATIONS: readonly RootField[] = [
  'markets',
  'market',
  'betLimits',
  'bettingConfig',
  'marketConfig',
  'geoCheck',
  'health',
  'authChallenge',
  'me',
  'balance',
  'ledger',
  'positions',
  'claimablePositions',
  'orders',
  'order',
  'fills',
  'tradingSafety',
  'createSession',
  'refreshSession',
  'revokeSession',
  'createApiKey',
  'revokeApiKey',
  'placeOrder',
  'placeOrders',
  'cancelOrder',
  'cancelOrders',
  'cancelMarketOrders',
  'cancelAllOrders',
  'replaceOrders',
  'reduceOrder',
  'heartbeat',
  'disarmHeartbeat',
  'splitPosition',
  'mergePosition',
  'claimPosition',
  'orderBookUpdated',
  'tradeExecuted',
  'priceUpdated',
  'marketStatusChanged',
  'venueStatusChanged',
  'orderEvents',
];

/** Problem of an operation at that venue. */
interface SchemaProblem {
  readonly operation: string;
  /** The operator's own document, where there is one. */
  readonly file: string | undefined;
  readonly problem: string;
}

export interface SchemaReport {
  /** These operations would be refused. */
  readonly refused: readonly SchemaProblem[];
  /** Changes of used parts that alter answers or refuse requests. */
  readonly breaking: readonly string[];
  /** Changes of used parts that may matter: new values of an enum, other defaults. */
  readonly dangerous: readonly string[];
  /** Differences in what is not used. */
  readonly harmless: readonly string[];
  readonly operations: number;
}

/** Differences of a venue's schema from the contract. */
export function compareSchema(
  served: GraphQLSchema,
  texts: OperationTexts,
  needed: readonly RootField[] = NEEDED_OPERATIONS,
): SchemaReport {
  const contract = buildSchema(SCHEMA_SDL);
  const operations = needed.map((field) => OPERATIONS[field]);
  const refused = operations.flatMap((operation): readonly SchemaProblem[] => {
    const file = texts.overridden.get(operation.name);
    return validate(served, parse(texts.textOf(operation))).map(({ message }) => ({
      operation: operation.name,
      file,
      problem: message,
    }));
  });
  const own = operations.filter(({ name }) => !texts.overridden.has(name));
  const used = usedParts(
    contract,
    own.map(({ text }) => parse(text)),
  );
  const [breaking, unused] = parted(findBreakingChanges(contract, served), used);
  const [dangerous, other] = parted(findDangerousChanges(contract, served), used);
  return { refused, breaking, dangerous, harmless: [...unused, ...other], operations: operations.length };
}

/** Those that concern what is used, and the others. */
function parted(
  changes: readonly { readonly description: string }[],
  used: UsedParts,
): readonly [readonly string[], readonly string[]] {
  const texts = changes.map(({ description }) => description);
  const concerns = (text: string): boolean => subjectsOf(text).some((subject) => used.has(subject));
  return [texts.filter(concerns), texts.filter((text) => !concerns(text))];
}

/** What a change is about: `Type.field` where it names one, else types (`ENUM` in "X was added to enum type ENUM."). */
function subjectsOf(text: string): readonly string[] {
  const fields = text.match(/\b[A-Z_a-z]\w*\.[A-Z_a-z]\w*/g);
  if (fields !== null) return fields;
  const value = /^(\w+) was (removed from|added to) enum type (\w+)\.$/.exec(text);
  // A value that the venue never answers changes no answer; one that it does not take is refused.
  if (value?.[2] === 'removed from') return [asInput(value[3] ?? '')];
  if (value !== null) return [`${value[3]}.${value[1]}`, value[3] ?? ''];
  const [name = ''] = text.split(/[^\w]/);
  return [name];
}

/** How `UsedParts` names a type that is sent. */
function asInput(name: string): string {
  return `${name} as input`;
}

/** Names of types, and `Type.field` of fields and of members of inputs. */
type UsedParts = ReadonlySet<string>;

/** What documents use of the schema they were written for; inputs whole, as any member may be sent. */
function usedParts(schema: GraphQLSchema, documents: readonly DocumentNode[]): UsedParts {
  const parts = new Set<string>();
  const input = (name: string): void => {
    const type = schema.getType(name);
    if (type === undefined || parts.has(asInput(name))) return;
    parts.add(name);
    parts.add(asInput(name));
    if (!isInputObjectType(type)) return;
    for (const field of Object.values(type.getFields())) {
      parts.add(`${name}.${field.name}`);
      input(getNamedType(field.type).name);
    }
  };
  for (const document of documents) {
    const info = new TypeInfo(schema);
    const visitor = {
      Field: () => {
        const [parent, field] = [info.getParentType(), info.getFieldDef()];
        if (parent === null || parent === undefined || field === null || field === undefined) return;
        parts.add(`${parent.name}.${field.name}`);
        const type = getNamedType(field.type);
        parts.add(type.name);
        if (isEnumType(type)) for (const { name } of type.getValues()) parts.add(`${type.name}.${name}`);
        for (const { type: given } of field.args) input(getNamedType(given).name);
      },
    };
    visit(document, visitWithTypeInfo(info, visitor));
  }
  return parts;
}
