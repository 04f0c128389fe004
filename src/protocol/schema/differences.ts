/** Whether a venue speaks this contract: what its schema, as introspection tells it, lacks or has otherwise. */
import {
  buildClientSchema,
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
  type IntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { SCHEMA_SDL } from '../schema-sdl.ts';

/** What is different about another schema, from the point of view of a client written for this one. */
export interface SchemaDifferences {
  /** Documents or variables written for this contract would be refused, or answers read wrongly. */
  readonly breaking: readonly string[];
  /** What a client has to be ready for, such as new values of an enum or other defaults. */
  readonly dangerous: readonly string[];
  /** Types, fields and arguments that are there beyond this contract, one `+ line` each, and lost or changed texts. */
  readonly other: readonly string[];
}

/** Compares what introspection answered with the SDL. Descriptions count, but only as `other`. */
export function introspectionDifferences(introspection: IntrospectionQuery): SchemaDifferences {
  return schemaDifferences(buildClientSchema(introspection));
}

/** Compares a schema with the SDL. */
export function schemaDifferences(served: GraphQLSchema): SchemaDifferences {
  const contract = buildSchema(SCHEMA_SDL);
  return {
    breaking: findBreakingChanges(contract, served).map(({ description }) => description),
    dangerous: findDangerousChanges(contract, served).map(({ description }) => description),
    other: lineDifferences(sortedLines(contract), sortedLines(served)),
  };
}

function sortedLines(schema: GraphQLSchema): readonly string[] {
  return printSchema(lexicographicSortSchema(schema)).split('\n');
}

/** `- line` and `+ line` for those that only one side has, each as often as it is lacking. */
function lineDifferences(ours: readonly string[], theirs: readonly string[]): string[] {
  return [...surplus(ours, theirs).map((line) => `- ${line}`), ...surplus(theirs, ours).map((line) => `+ ${line}`)];
}

function surplus(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}
