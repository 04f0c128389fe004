/** The operators' commands as a page for people, made from their own schemas. */
import type { OPERATOR_COMMANDS } from '../../server/index.ts';
import { configTable } from './config-reference.ts';

/** A Markdown section for each command. */
export function operatorReference(commands: typeof OPERATOR_COMMANDS): string {
  return Object.entries(commands)
    .map(([name, { summary, schema }]) => {
      const isBare = Object.keys(schema.shape).length === 0;
      return `### ${name}\n\n${summary}\n${isBare ? '' : `\n${configTable(schema)}`}`;
    })
    .join('\n');
}
