/**
 * HOT: variables and arguments of what is asked most, read by a plan made once: a third of what graphql-js takes
 * (bench/server.ts). Anything unusual (defaults of variables and arguments, nulls for arguments, faults) is left to graphql-js.
 */
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  isInputType,
  isNonNullType,
  Kind,
  typeFromAST,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { type InputReader, inputReader, UNREAD } from './input-reader.ts';
import type { Arguments } from './resolver-map.ts';
import type { RootSelection } from './root-fields.ts';

/** Variables as the operation declares them, or why they are not. */
export type Coerced =
  | { readonly variables: Arguments; readonly problems?: undefined }
  | { readonly problems: readonly string[] };

interface VariablePlan {
  readonly name: string;
  readonly read: InputReader;
  /** It has to be there. */
  readonly isRequired: boolean;
}

const NOTHING: Arguments = Object.freeze({});
const NO_VARIABLES: Coerced = { variables: NOTHING };
const MOST_PROBLEMS = 20;

/** Coerces what a request brings, any JSON object or nothing. */
export function variableReader(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (raw: Arguments | undefined) => Coerced {
  if (definitions.length === 0) return () => NO_VARIABLES;
  const plans = plansOf(schema, definitions);
  return (raw = NOTHING) => {
    const plain = plans === undefined ? undefined : readVariables(plans, raw);
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

/** Plans of all variables; undefined where one has a default. */
function plansOf(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): readonly VariablePlan[] | undefined {
  const known = new Map<GraphQLInputType, InputReader>();
  const plans: VariablePlan[] = [];
  for (const { variable, type: node, defaultValue } of definitions) {
    const type = typeFromAST(schema, node);
    const name = variable.name.value;
    if (!isInputType(type) || defaultValue !== undefined || name === '__proto__') return undefined;
    plans.push({ name, read: inputReader(type, known), isRequired: isNonNullType(type) });
  }
  return plans;
}

/** Undefined unless all are there that have to be, and right. */
function readVariables(plans: readonly VariablePlan[], raw: Arguments): Arguments | undefined {
  const variables: Record<string, unknown> = {};
  for (const { name, read, isRequired } of plans) {
    if (!Object.hasOwn(raw, name)) {
      if (isRequired) return undefined;
      continue;
    }
    const value = read(raw[name]);
    if (value === UNREAD) return undefined;
    variables[name] = value;
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
