/** Documents drawn from the SDL: valid ones, with everything that makes executors differ. */
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

export interface DrawnRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Draft {
  readonly dice: Random;
  readonly fragments: string[];
  readonly variables: Map<string, { readonly type: string; readonly value: unknown }>;
  readonly conditions: boolean;
  aliases: number;
  hasProto: boolean;
}

/** @param conditions whether `@skip` and `@include` occur */
export function randomRequest(
  schema: GraphQLSchema,
  dice: Random,
  {
    operation = 'query',
    conditions = true,
  }: { operation?: 'query' | 'mutation' | 'subscription'; conditions?: boolean } = {},
): DrawnRequest {
  const draft: Draft = { dice, fragments: [], variables: new Map(), conditions, aliases: 0, hasProto: false };
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  const root = roots[operation];
  if (root === null || root === undefined) throw new Error(`no ${operation}`);
  const set = operation === 'subscription' ? `{ ${field(draft, root)} }` : selections(draft, root, 1 + dice.int(3));
  const declared = Array.from(draft.variables, ([name, { type }]) => `$${name}: ${type}`).join(' ');
  const head = `${operation} Drawn${declared === '' ? '' : `(${declared})`}`;
  const values = Array.from(draft.variables, ([name, { value }]) => [name, value] as const);
  return {
    query: [`${head} ${set}`, ...draft.fragments].join('\n'),
    variables: Object.fromEntries(values.filter(([, value]) => value !== undefined)),
  };
}

function selections(draft: Draft, type: GraphQLObjectType, count: number): string {
  const { dice } = draft;
  const parts: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const choice = dice.int(12);
    if (choice === 0) parts.push('__typename');
    else if (choice === 1) parts.push(`... ${condition(draft)} { ${field(draft, type)} ${field(draft, type)} }`);
    else if (choice === 2) parts.push(`... on ${type.name} ${condition(draft)} ${selections(draft, type, 2)}`);
    else if (choice === 3) {
      const body = selections(draft, type, 2);
      const name = `F${draft.fragments.length}`;
      draft.fragments.push(`fragment ${name} on ${type.name} ${body}`);
      parts.push(`...${name} ${condition(draft)}`);
      if (dice.int(3) === 0) parts.push(`...${name}`);
    } else parts.push(field(draft, type));
  }
  return `{ ${parts.join(' ')} }`;
}

function field(draft: Draft, type: GraphQLObjectType): string {
  const { dice } = draft;
  const fields = Object.values(type.getFields());
  const chosen = fields[dice.int(fields.length)];
  if (chosen === undefined) throw new Error(`${type.name} has no fields`);
  const named: GraphQLNamedOutputType = getNamedType(chosen.type);
  const args = chosen.args.map((arg) => argument(draft, arg)).filter((text) => text !== '');
  // A field with arguments is always given a name of its own: two of one name have to agree in them.
  const alias = args.length > 0 || dice.int(4) === 0 ? `${newAlias(draft)}: ` : '';
  const given = args.length > 0 ? `(${args.join(', ')})` : '';
  const below = isObjectType(named) ? selections(draft, named, 1 + dice.int(5)) : '';
  return `${alias}${chosen.name}${given} ${condition(draft)} ${below}`;
}

/** A name that no other field of the document has; once in a while the one that object literals do not take. */
function newAlias(draft: Draft): string {
  draft.aliases += 1;
  if (draft.hasProto || draft.dice.int(30) !== 0) return `a${draft.aliases}`;
  draft.hasProto = true;
  return '__proto__';
}

function condition(draft: Draft): string {
  const { dice } = draft;
  if (!draft.conditions || dice.int(5) !== 0) return '';
  const name = `c${dice.int(3)}`;
  const directive = dice.int(2) === 0 ? 'skip' : 'include';
  if (dice.int(4) === 0) return `@${directive}(if: ${dice.int(2) === 0})`;
  if (!draft.variables.has(name)) {
    const value = dice.int(2) === 0;
    draft.variables.set(
      name,
      dice.int(2) === 0 ? { type: 'Boolean!', value } : { type: `Boolean! = ${!value}`, value: undefined },
    );
  }
  return `@${directive}(if: $${name})`;
}

function argument(draft: Draft, { name, type, defaultValue }: GraphQLArgument): string {
  const { dice } = draft;
  const isRequired = isNonNullType(type) && defaultValue === undefined;
  if (!isRequired && dice.int(2) === 0) return '';
  if (dice.int(3) > 0) return `${name}: ${literal(type, dice)}`;
  const variable = `v${draft.variables.size}`;
  draft.variables.set(variable, { type: String(type), value: json(type, dice) });
  return `${name}: $${variable}`;
}

function literal(type: GraphQLInputType, dice: Random): string {
  if (!isNonNullType(type) && dice.int(8) === 0) return 'null';
  const inner = getNullableType(type);
  if (isListType(inner))
    return `[${Array.from({ length: dice.int(3) }, () => literal(inner.ofType, dice)).join(', ')}]`;
  if (isEnumType(inner)) return inner.getValues()[dice.int(inner.getValues().length)]?.name ?? '';
  if (isInputObjectType(inner)) {
    const members = Object.values(inner.getFields()).filter(
      (member) => isNonNullType(member.type) || dice.int(2) === 0,
    );
    return `{ ${members.map((member) => `${member.name}: ${literal(member.type, dice)}`).join(', ')} }`;
  }
  return JSON.stringify(scalarValue(String(inner), dice));
}

/** A right value, as JSON. */
export function json(type: GraphQLInputType, dice: Random): unknown {
  if (!isNonNullType(type) && dice.int(8) === 0) return null;
  const inner = getNullableType(type);
  if (isListType(inner)) return Array.from({ length: dice.int(3) }, () => json(inner.ofType, dice));
  if (isEnumType(inner)) return inner.getValues()[dice.int(inner.getValues().length)]?.name;
  if (isInputObjectType(inner)) {
    const members = Object.values(inner.getFields()).filter(
      (member) => isNonNullType(member.type) || dice.int(2) === 0,
    );
    return Object.fromEntries(members.map((member) => [member.name, json(member.type, dice)]));
  }
  return scalarValue(String(inner), dice);
}

function scalarValue(name: string, dice: Random): unknown {
  switch (name) {
    case 'Int':
      return dice.int(100);
    case 'Float':
      return dice.int(100) / 4;
    case 'Boolean':
      return dice.int(2) === 0;
    default:
      return `s${dice.int(5)}`;
  }
}
