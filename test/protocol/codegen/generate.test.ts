import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generate } from './generate.ts';

const ROOT = join(import.meta.dirname, '../../..');

describe('generated types and documents', async () => {
  const files = [...(await generate())];

  it.each(files)('%s equals the current output of `npm run codegen`', (name, text) => {
    expect(readFileSync(join(ROOT, name), 'utf8')).toBe(text);
  });
});
