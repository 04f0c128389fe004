/** Checks whether the venue's schema supports every operation that a bot sends. */
import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { compareSchema, type OperationTexts } from '../../venues/service/index.ts';
import type { VenueHttp } from '../venue/venue-http.ts';
import { type Finding, fail, ok, warn } from './preflight.ts';
import { problemOf } from './reach-check.ts';

const SHOWN = 8;
const REMEDY =
  "Write the operation with the venue's names into a file (`venue.operations`, docs/live.md), or use the version of halfspread that fits the venue";

/** @param operations the operations that the bot sends: halfspread's own, or those of `venue.operations` */
export async function checkSchema(http: VenueHttp, operations: OperationTexts): Promise<readonly Finding[]> {
  let served: GraphQLSchema;
  try {
    const data = await http.data(getIntrospectionQuery());
    if (!isIntrospection(data)) throw new Error('the answer is not an introspection');
    served = buildClientSchema(data);
  } catch (error) {
    const remedy = 'Allow introspection on the venue. Without it, differences show only when an operation fails';
    return [warn('schema', `the schema cannot be read: ${problemOf(error)}`, remedy)];
  }
  const report = compareSchema(served, operations);
  const findings: Finding[] = [];
  if (report.refused.length === 0) {
    findings.push(ok('operations', `all ${report.operations} operations fit the venue's schema`));
  } else {
    const problems = report.refused.map(
      ({ operation, file, problem }) => `${operation}${file === undefined ? '' : ` (${file})`}: ${problem}`,
    );
    const count = `${problems.length} of ${report.operations}`;
    findings.push(fail('operations', `${count} do not fit the venue's schema: ${listed(problems)}`, REMEDY));
  }
  if (report.breaking.length > 0) {
    findings.push(fail('schema', `breaking differences: ${listed(report.breaking)}`, REMEDY));
  }
  if (report.dangerous.length > 0) {
    const remedy = 'Check whether a new value matters to you';
    findings.push(warn('schema', `possible incompatibilities: ${listed(report.dangerous)}`, remedy));
  }
  if (findings.length === 1) {
    const { harmless } = report;
    const text =
      harmless.length === 0
        ? 'equal to the schema that halfspread was built for'
        : `${harmless.length} harmless differences: ${listed(harmless)}`;
    findings.push(ok('schema', text));
  }
  return findings;
}

function isIntrospection(data: object): data is IntrospectionQuery {
  return '__schema' in data && typeof data.__schema === 'object' && data.__schema !== null;
}

function listed(texts: readonly string[]): string {
  const more = texts.length > SHOWN ? `; and ${texts.length - SHOWN} more` : '';
  return `${texts.slice(0, SHOWN).join('; ')}${more}`;
}
