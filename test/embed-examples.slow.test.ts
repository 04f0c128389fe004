/** Runs the examples of embedding and importing from their pages. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

describe('halfspread/embed', () => {
  const examples = ['docs/embedding.md', 'docs/importing.md'].flatMap((page) => [
    ...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm),
  ]);
  const output = [
    /^\{"data":\{"markets":\{"edges":\[\{"node":\{"slug":"will-it-rain-in-oslo-on-new-years-day"\}\}\]\}\}\}\nOK\n$/,
    /^\d+ -?\d+ [0-9a-f]{64}\n$/,
    /^3 rows, 1 trade of 2.500000 shares, dropped: negative size\n$/,
  ];
  it('has one example in the documentation for each output of this test', () => {
    expect(examples).toHaveLength(output.length);
  });

  it.each(output.map((expected, index) => [index + 1, expected, examples[index]?.[1] ?? '']))(
    'runs example %i of the documentation',
    async (_, expected, text) => {
      const args = ['--input-type=module-typescript', '--disable-warning=ExperimentalWarning', '-e', text];
      const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
      expect(stderr).toBe('');
      expect(stdout).toMatch(expected);
    },
  );
});
