import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';

/** Functions that use short-lived objects, in planning, risk, signing and the books. */
const OURS =
  /^(#planQuotes|#compose|Sizing|Pool|Line|SideDraft|Tally|OrderTotals|SideTotals|look|grant|grantLine|#candidate|#refusalOf|OwnOrder|sign|digest|#tellDelta|legs)$/;

/** Names of functions whose code V8 discarded in a full garbage collection, because no object of their type was alive. */
function discardedCode(): readonly string[] {
  const program = join(import.meta.dirname, 'compiled-program.ts');
  // Compiles synchronously, because a background thread may finish after the collection on a busy machine.
  const args = ['--expose-gc', '--no-concurrent-recompilation', '--trace-opt', '--trace-deopt', program];
  const received = execFileSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    timeout: 120_000,
  });
  const [before = '', after = ''] = received.split('trained\n');
  const names = (text: string, phrase: string): readonly string[] =>
    text
      .split('\n')
      .flatMap((line) =>
        line.includes(phrase) ? (/<(?:SharedFunctionInfo|JSFunction) ([^ >]+)/.exec(line)?.[1] ?? []) : [],
      );
  // Otherwise the absence of discarded code proves nothing.
  expect(names(before, 'completed compiling')).toEqual(expect.arrayContaining(['#planQuotes', 'Tally', 'legs']));
  expect(after).toContain('collected\n');
  return names(after, 'embedded weak objects cleared');
}

describe('the compiled order path', () => {
  it('survives a full garbage collection', { timeout: 60_000 }, () => {
    expect(discardedCode().filter((name) => OURS.test(name))).toEqual([]);
  });
});
