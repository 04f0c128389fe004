/** Prints the expected shape of answers: the selection of each operation with the kind of each value. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { LeafKind, Wrap } from '../../../src/protocol/answer-check.ts';

/** Enums whose values the client must know. For other enums any word is accepted, because they may get new values. */
const KNOWN_ENUMS: readonly string[] = [
  ...['BetOutcome', 'BookEventKind', 'LiquidityRole', 'MarketStatus', 'OrderEventKind', 'OrderSide', 'OrderStatus'],
  ...['RejectReason', 'VenueMode'],
];
/** Kinds by field name, for fields whose scalar and name ending are not enough. */
const BY_NAME: Readonly<Record<string, LeafKind>> = {
  tickSizeBps: 'tick',
  betPresets: 'cents',
  direction: 'int',
  capacity: 'positive',
  maxBatchOrders: 'positive',
  maxBatchCancels: 'positive',
  minHeartbeatMs: 'positiveMs',
  maxHeartbeatMs: 'positiveMs',
  refillPerSecond: 'rate',
  remaining: 'amount',
  maxShares: 'amount',
  maxFilledShares: 'amount',
  filledInWindow: 'amount',
  normalizedShares: 'amount',
  'BetQuote.shares': 'amount',
  'Order.priceBps': 'price',
  'Fill.priceBps': 'price',
  'Trade.priceBps': 'price',
  'PriceLevel.priceBps': 'price',
  'Market.id': 'uuid',
  feeRateBps: 'fee',
  marketId: 'uuid',
  orderHash: 'hash',
  accessToken: 'token',
  refreshToken: 'token',
  secret: 'token',
};
/** Kinds by scalar and ending of the field name. The first match is used. */
const BY_TYPE: readonly (readonly [scalar: string, ending: string, kind: LeafKind])[] = [
  ['Int', 'Bps', 'bps'],
  ['Int', 'Cents', 'cents'],
  ['Int', 'Ms', 'ms'],
  ['Int', '', 'count'],
  ['Float', '', 'shares'],
  ['UintString', 'Micros', 'micros'],
  ['UintString', '', 'seq'],
  ['IntString', 'Micros', 'signedMicros'],
  ['IntString', '', 'integer'],
  ['ID', '', 'id'],
  ['Hex', '', 'hex'],
  ['Time', '', 'time'],
  ['Cursor', '', 'cursor'],
  ['String', '', 'text'],
  ['Boolean', '', 'boolean'],
  ['TypedData', '', 'object'],
];

/** Printed constants of fragments, and the printed selection of each operation. */
export interface PrintedSelections {
  readonly constants: string;
  readonly of: (operation: OperationDefinitionNode) => string;
}

export function printSelections(schema: GraphQLSchema, operations: DocumentNode): PrintedSelections {
  const printer = new Printer(schema);
  const fragments = operations.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  const constants = sortByUse(fragments).map((each) => printer.fragment(each));
  return { constants: constants.join('\n'), of: (operation) => printer.operation(operation) };
}

/** Prints `ENUM_VALUES` for the known enums. */
export function printEnumValues(schema: GraphQLSchema): string {
  const lines = KNOWN_ENUMS.map((name) => {
    const type = schema.getType(name);
    if (!isEnumType(type)) throw new Error(`${name} is not an enum`);
    return `  ${name}: [${type
      .getValues()
      .map((value) => `'${value.name}'`)
      .join(', ')}],`;
  });
  return ['/** Values by enum. */', 'export const ENUM_VALUES = {', ...lines, '} as const;', ''].join('\n');
}

class Printer {
  readonly #schema: GraphQLSchema;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  fragment({ name, typeCondition, selectionSet }: FragmentDefinitionNode): string {
    const type = this.#schema.getType(typeCondition.name.value);
    if (!isObjectType(type)) throw new Error(`${name.value} is not on an object type`);
    return `const ${name.value}: Selection = ${this.#set(selectionSet, type)};`;
  }

  operation({ operation, selectionSet }: OperationDefinitionNode): string {
    const root = this.#schema.getRootType(operation);
    if (root === undefined || root === null) throw new Error(`no ${operation}`);
    return this.#set(selectionSet, root);
  }

  /** A selection of a single fragment is printed as the name of the fragment. */
  #set({ selections }: SelectionSetNode, type: GraphQLObjectType): string {
    const [only, ...others] = selections;
    if (only?.kind === Kind.FRAGMENT_SPREAD && others.length === 0) return only.name.value;
    const fields = selections.map((each) => {
      if (each.kind === Kind.FRAGMENT_SPREAD) return `...${each.name.value}`;
      if (each.kind !== Kind.FIELD) throw new Error(`${type.name} is selected by an inline fragment`);
      const field = type.getFields()[each.name.value];
      if (field === undefined) throw new Error(`${type.name} has no ${each.name.value}`);
      return `${(each.alias ?? each.name).value}: ${this.#shape(field.type, `${type.name}.${field.name}`, each.selectionSet)}`;
    });
    return `{ ${fields.join(', ')} }`;
  }

  #shape(type: GraphQLOutputType, field: string, set: SelectionSetNode | undefined): string {
    const wrap = wrapOf(type, field);
    const named = getNamedType(type);
    if (set !== undefined && isObjectType(named)) return `{ fields: ${this.#set(set, named)}, wrap: '${wrap}' }`;
    return `'${isEnumType(named) ? (KNOWN_ENUMS.includes(named.name) ? named.name : 'word') : kindOf(field, named.name)}${wrap}'`;
  }
}

function wrapOf(type: GraphQLOutputType, field: string): Wrap {
  const inner = isNonNullType(type) ? type.ofType : type;
  const isNullable = inner === type;
  if (!isListType(inner)) return isNullable ? '?' : '';
  if (!isNonNullType(inner.ofType)) throw new Error(`${field} is a list with nullable elements`);
  return isNullable ? '[]?' : '[]';
}

function kindOf(field: string, scalar: string): LeafKind {
  const name = field.slice(field.indexOf('.') + 1);
  const kind =
    BY_NAME[field] ?? BY_NAME[name] ?? BY_TYPE.find(([type, ending]) => type === scalar && name.endsWith(ending))?.[2];
  if (kind === undefined) throw new Error(`${field}: no kind is configured for this ${scalar}`);
  return kind;
}

/** Sorts fragments so that each one follows the fragments that it uses. */
function sortByUse(fragments: readonly FragmentDefinitionNode[]): readonly FragmentDefinitionNode[] {
  const byName = new Map(fragments.map((each) => [each.name.value, each]));
  const ordered = new Set<FragmentDefinitionNode>();
  const add = (fragment: FragmentDefinitionNode | undefined): void => {
    if (fragment === undefined || ordered.has(fragment)) return;
    for (const name of spreads(fragment.selectionSet)) add(byName.get(name));
    ordered.add(fragment);
  };
  for (const fragment of fragments) add(fragment);
  return [...ordered];
}

function spreads({ selections }: SelectionSetNode): readonly string[] {
  return selections.flatMap((each) => {
    if (each.kind === Kind.FRAGMENT_SPREAD) return [each.name.value];
    return each.kind === Kind.FIELD && each.selectionSet !== undefined ? spreads(each.selectionSet) : [];
  });
}
