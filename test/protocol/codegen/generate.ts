/** Types and documents of the wire, made from the SDL: `npm run codegen` writes them, a test compares. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { buildSchema, type DocumentNode, parse } from 'graphql';
import { SCHEMA_SDL } from '../../../src/protocol/schema-sdl.ts';
import { operationTexts } from './operation-texts.ts';
import { printOperations } from './print-operations.ts';
import { printEnums, printInputs, printResolverTypes } from './print-resolver-types.ts';
import { printEnumValues } from './print-selections.ts';

/** What the scalars are in JSON; resolvers have their own list. */
const SCALARS = {
  ID: 'string',
  Time: 'string',
  Cursor: 'string',
  UintString: 'string',
  IntString: 'string',
  Hex: 'string',
  TypedData: 'Readonly<Record<string, unknown>>',
};

const CONFIG = {
  scalars: SCALARS,
  strictScalars: true,
  enumsAsTypes: true,
  useTypeImports: true,
  immutableTypes: true,
  skipTypename: true,
  avoidOptionals: { object: true, field: true },
};

const DOOR = readFileSync(join(import.meta.dirname, '../../../src/protocol/index.ts'), 'utf8');

/** Enums and inputs are those of `schema-types.ts`. */
const SHARED = { importSchemaTypesFrom: './schema-types.ts', namespacedImportName: 'Types', importExtension: '.ts' };

/** Each file's text, by its name in `src/protocol/generated/`. */
export async function generate(): Promise<ReadonlyMap<string, string>> {
  const schema = parse(SCHEMA_SDL);
  const types = buildSchema(SCHEMA_SDL);
  const operations = parse(operationTexts(types));
  return new Map([
    [
      'schema-types.ts',
      head('Types of the contract, as JSON has them.') +
        printInputs(types) +
        printEnums(types) +
        '\n' +
        printEnumValues(types),
    ],
    ['resolver-types.ts', head('What resolvers are given and give, by type and field.') + printResolverTypes(schema)],
    [
      'operations.ts',
      head('A document for every operation, with the types of its variables and answers.') +
        "import { operation } from '../operation.ts';\nimport type { Selection } from '../selection.ts';\n\n" +
        compact(await operationTypes(schema, operations)) +
        printOperations(operations, types),
    ],
  ]);
}

/** One line a type, without those of fragments that `src/protocol/index.ts` does not export. */
function compact(types: string): string {
  return types
    .replaceAll(/export type (\w+Fragment) = .*\n/g, (line, name: string) =>
      DOOR.includes(`type ${name},`) ? line : '',
    )
    .replace(/.*\nexport type Incremental.*\n/, '')
    .replaceAll(
      /Exact<\{\n(.*?)\n\}>/gs,
      (_, members: string) => `Exact<{ ${members.trim().replaceAll(/\n\s*/g, ' ')} }>`,
    )
    .replaceAll(/\n{2,}/g, '\n');
}

function head(what: string): string {
  return `/** ${what} Made by \`npm run codegen\`: do not edit. */\n`;
}

function operationTypes(schema: DocumentNode, document: DocumentNode): Promise<string> {
  return codegen({
    filename: 'operations.ts',
    schema,
    documents: [{ document }],
    config: { ...CONFIG, ...SHARED },
    plugins: [{ typescriptOperations: {} }],
    pluginMap: { typescriptOperations },
  });
}
