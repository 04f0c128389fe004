/**
 * HOT: variables and arguments of what is asked most, read by a plan made once: a third of what graphql-js takes
 * (bench/server.ts). Anything unusual (lists, input objects, defaults, nulls, faults) is left to graphql-js.
 */
import {
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  isLeafType,
  Kind,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import type { Arguments } from './resolver-map.ts';
import type { RootSelection } from './root-fields.ts';

/** Variables as the operation declares them, or why they are not. */
export type Coerced =
  | { readonly variables: Arguments; readonly problems?: undefined }
  | { readonly problems: readonly string[] };

type Leaf = readonly [name: string, type: GraphQLLeafType];

const NOTHING: Arguments = Object.freeze({});
const NO_VARIABLES: Coerced = { variables: NOTHING };
const MOST_PROBLEMS = 20;

/** Coerces what a request brings, any JSON object or nothing. */
export function variableReader(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (raw: Arguments | undefined) => Coerced {
  if (definitions.length === 0) return () => NO_VARIABLES;
  const leaves = leavesOf(schema, definitions);
  return (raw = NOTHING) => {
    const plain = leaves === undefined ? undefined : readLeaves(leaves, raw);
    if (plain !== undefined) return { variables: plain };
    const { coerced, errors } = getVariableValues(schema, definitions, raw, { maxErrors: MOST_PROBLEMS });
    return errors === undefined ? { variables: coerced } : { problems: errors.map(({ message }) => message) };
  };
}

/**
 * Reads the arguments of a root field; once for all requests where no variable is in them.
 * @returns a function that throws GraphQLError for a variable that is null where the argument may not be
 */
export function argumentReader(
  field: GraphQLField<unknown, unknown>,
  { nodes: [node] }: RootSelection,
): (variables: Arguments) => Arguments {
  const given = node.arguments ?? [];
  const pairs: (readonly [argument: string, variable: string])[] = [];
  let hasVariables = false;
  for (const argument of given) {
    const { name, value } = argument;
    if (value.kind === Kind.VARIABLE) pairs.push([name.value, value.name.value]);
    visit(value, {
      Variable: () => {
        hasVariables = true;
      },
    });
  }
  if (!hasVariables) {
    const constant: Arguments = Object.freeze(getArgumentValues(field, node, {}));
    return () => constant;
  }
  const hasDefaults = field.args.some(({ defaultValue }) => defaultValue !== undefined);
  const isPlain = pairs.length === given.length && !hasDefaults;
  return (variables) =>
    (isPlain ? readPairs(pairs, variables) : undefined) ?? getArgumentValues(field, node, variables);
}

/** Variables of scalar and enum types without defaults; undefined when there are others. */
function leavesOf(schema: GraphQLSchema, definitions: readonly VariableDefinitionNode[]): readonly Leaf[] | undefined {
  const leaves: Leaf[] = [];
  for (const { variable, type: node, defaultValue } of definitions) {
    const named = node.kind === Kind.NON_NULL_TYPE ? node.type : node;
    const type = named.kind === Kind.NAMED_TYPE ? schema.getType(named.name.value) : undefined;
    const name = variable.name.value;
    if (!isLeafType(type) || defaultValue !== undefined || name === '__proto__') return undefined;
    leaves.push([name, type]);
  }
  return leaves;
}

/** Undefined unless every variable is there, not null and right. */
function readLeaves(leaves: readonly Leaf[], raw: Arguments): Arguments | undefined {
  const variables: Record<string, unknown> = {};
  for (const [name, type] of leaves) {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (value === undefined || value === null) return undefined;
    try {
      variables[name] = type.parseValue(value);
    } catch {
      return undefined; // graphql-js meets it again, and says what is wrong
    }
    if (variables[name] === undefined) return undefined;
  }
  return variables;
}

/** Undefined unless every variable is there and not null. */
function readPairs(pairs: readonly (readonly [string, string])[], variables: Arguments): Arguments | undefined {
  const args: Record<string, unknown> = {};
  for (const [argument, variable] of pairs) {
    const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
    if (value === undefined || value === null) return undefined;
    args[argument] = value;
  }
  return args;
}
