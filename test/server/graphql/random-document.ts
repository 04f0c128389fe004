/** Random valid documents of the schema with fragments, conditions, variables and aliases. */
import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Random } from '../../../src/clock/index.ts';

export interface RandomRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Draft {
  readonly random: Random;
  readonly fragments: string[];
  readonly variables: Map<string, { readonly type: string; readonly value: unknown }>;
  readonly conditions: boolean;
  aliases: number;
  hasProto: boolean;
}

/** @param conditions whether `@skip` and `@include` occur */
export function randomRequest(
  schema: GraphQLSchema,
  random: Random,
  {
    operation = 'query',
    conditions = true,
  }: { operation?: 'query' | 'mutation' | 'subscription'; conditions?: boolean } = {},
): RandomRequest {
  const draft: Draft = { random, fragments: [], variables: new Map(), conditions, aliases: 0, hasProto: false };
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  const root = roots[operation];
  if (root === null || root === undefined) throw new Error(`no ${operation}`);
  const set =
    operation === 'subscription' ? `{ ${randomField(draft, root)} }` : randomSelections(draft, root, 1 + random.int(3));
  const declared = Array.from(draft.variables, ([name, { type }]) => `$${name}: ${type}`).join(' ');
  const head = `${operation} Random${declared === '' ? '' : `(${declared})`}`;
  const values = Array.from(draft.variables, ([name, { value }]) => [name, value] as const);
  return {
    query: [`${head} ${set}`, ...draft.fragments].join('\n'),
    variables: Object.fromEntries(values.filter(([, value]) => value !== undefined)),
  };
}

function randomSelections(draft: Draft, type: GraphQLObjectType, count: number): string {
  const { random } = draft;
  const parts: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const choice = random.int(12);
    if (choice === 0) parts.push('__typename');
    else if (choice === 1)
      parts.push(`... ${randomCondition(draft)} { ${randomField(draft, type)} ${randomField(draft, type)} }`);
    else if (choice === 2)
      parts.push(`... on ${type.name} ${randomCondition(draft)} ${randomSelections(draft, type, 2)}`);
    else if (choice === 3) {
      const body = randomSelections(draft, type, 2);
      const name = `F${draft.fragments.length}`;
      draft.fragments.push(`fragment ${name} on ${type.name} ${body}`);
      parts.push(`...${name} ${randomCondition(draft)}`);
      if (random.int(3) === 0) parts.push(`...${name}`);
    } else parts.push(randomField(draft, type));
  }
  return `{ ${parts.join(' ')} }`;
}

function randomField(draft: Draft, type: GraphQLObjectType): string {
  const { random } = draft;
  const fields = Object.values(type.getFields());
  const chosen = fields[random.int(fields.length)];
  if (chosen === undefined) throw new Error(`${type.name} has no fields`);
  const named: GraphQLNamedOutputType = getNamedType(chosen.type);
  const args = chosen.args.map((arg) => randomArgument(draft, arg)).filter((text) => text !== '');
  // Fields with arguments always get an alias, because fields with the same name must have equal arguments.
  const alias = args.length > 0 || random.int(4) === 0 ? `${newAlias(draft)}: ` : '';
  const argumentList = args.length > 0 ? `(${args.join(', ')})` : '';
  const subfields = isObjectType(named) ? randomSelections(draft, named, 1 + random.int(5)) : '';
  return `${alias}${chosen.name}${argumentList} ${randomCondition(draft)} ${subfields}`;
}

/** Returns an alias that is unique in the document. It is sometimes `__proto__`. */
function newAlias(draft: Draft): string {
  draft.aliases += 1;
  if (draft.hasProto || draft.random.int(30) !== 0) return `a${draft.aliases}`;
  draft.hasProto = true;
  return '__proto__';
}

function randomCondition(draft: Draft): string {
  const { random } = draft;
  if (!draft.conditions || random.int(5) !== 0) return '';
  const name = `c${random.int(3)}`;
  const directive = random.int(2) === 0 ? 'skip' : 'include';
  if (random.int(4) === 0) return `@${directive}(if: ${random.int(2) === 0})`;
  if (!draft.variables.has(name)) {
    const value = random.int(2) === 0;
    draft.variables.set(
      name,
      random.int(2) === 0 ? { type: 'Boolean!', value } : { type: `Boolean! = ${!value}`, value: undefined },
    );
  }
  return `@${directive}(if: $${name})`;
}

function randomArgument(draft: Draft, { name, type, defaultValue }: GraphQLArgument): string {
  const { random } = draft;
  const isRequired = isNonNullType(type) && defaultValue === undefined;
  if (!isRequired && random.int(2) === 0) return '';
  if (random.int(3) > 0) return `${name}: ${randomLiteral(type, random)}`;
  const variable = `v${draft.variables.size}`;
  draft.variables.set(variable, { type: String(type), value: randomJson(type, random) });
  return `${name}: $${variable}`;
}

function randomLiteral(type: GraphQLInputType, random: Random): string {
  if (!isNonNullType(type) && random.int(8) === 0) return 'null';
  const inner = getNullableType(type);
  if (isListType(inner))
    return `[${Array.from({ length: random.int(3) }, () => randomLiteral(inner.ofType, random)).join(', ')}]`;
  if (isEnumType(inner)) return inner.getValues()[random.int(inner.getValues().length)]?.name ?? '';
  if (isInputObjectType(inner)) {
    const members = Object.values(inner.getFields()).filter(
      (member) => isNonNullType(member.type) || random.int(2) === 0,
    );
    return `{ ${members.map((member) => `${member.name}: ${randomLiteral(member.type, random)}`).join(', ')} }`;
  }
  return JSON.stringify(randomScalar(String(inner), random));
}

/** Returns a random valid value as JSON. */
export function randomJson(type: GraphQLInputType, random: Random): unknown {
  if (!isNonNullType(type) && random.int(8) === 0) return null;
  const inner = getNullableType(type);
  if (isListType(inner)) return Array.from({ length: random.int(3) }, () => randomJson(inner.ofType, random));
  if (isEnumType(inner)) return inner.getValues()[random.int(inner.getValues().length)]?.name;
  if (isInputObjectType(inner)) {
    const members = Object.values(inner.getFields()).filter(
      (member) => isNonNullType(member.type) || random.int(2) === 0,
    );
    return Object.fromEntries(members.map((member) => [member.name, randomJson(member.type, random)]));
  }
  return randomScalar(String(inner), random);
}

function randomScalar(name: string, random: Random): unknown {
  switch (name) {
    case 'Int':
      return random.int(100);
    case 'Float':
      return random.int(100) / 4;
    case 'Boolean':
      return random.int(2) === 0;
    default:
      return `s${random.int(5)}`;
  }
}
