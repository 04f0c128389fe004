import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';

/** Some of what was compiled in vain before: short-lived objects of planning, risk, signing and the books. */
const OURS =
  /^(#planQuotes|#compose|Sizing|Pool|Line|SideDraft|Tally|OrderTotals|SideTotals|look|grant|grantLine|#candidate|#refusalOf|OwnOrder|sign|digest|#tellDelta|legs)$/;

/** Code that V8 threw away, when all garbage was collected, for want of objects of its kind. */
function thrownAway(): readonly string[] {
  const program = join(import.meta.dirname, 'compiled-program.ts');
  // Compiled on the spot: a thread of its own may come to it after the collection where the machine is busy.
  const args = ['--expose-gc', '--no-concurrent-recompilation', '--trace-opt', '--trace-deopt', program];
  const received = execFileSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    timeout: 120_000,
  });
  const [before = '', after = ''] = received.split('trained\n');
  const names = (text: string, what: string): readonly string[] =>
    text
      .split('\n')
      .flatMap((line) =>
        line.includes(what) ? (/<(?:SharedFunctionInfo|JSFunction) ([^ >]+)/.exec(line)?.[1] ?? []) : [],
      );
  // Otherwise nothing is said by what is not thrown away.
  expect(names(before, 'completed compiling')).toEqual(expect.arrayContaining(['#planQuotes', 'Tally', 'legs']));
  expect(after).toContain('collected\n');
  return names(after, 'embedded weak objects cleared');
}

describe('the compiled order path', () => {
  it('survives a full garbage collection', { timeout: 60_000 }, () => {
    expect(thrownAway().filter((name) => OURS.test(name))).toEqual([]);
  });
});
