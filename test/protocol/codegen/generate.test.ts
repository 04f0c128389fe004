import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generate } from './generate.ts';

const FOLDER = join(import.meta.dirname, '../../../src/protocol/generated');

describe('generated types and documents', async () => {
  const files = [...(await generate())];

  it('are three files', () => {
    expect(files.map(([name]) => name)).toEqual(['schema-types.ts', 'resolver-types.ts', 'operations.ts']);
  });

  it.each(files)('%s equals the current output of `npm run codegen`', (name, text) => {
    expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(text);
  });
});
