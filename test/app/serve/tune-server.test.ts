/** V8 flags apply to a whole process, so each test starts its own. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const TUNE = new URL('../../../src/app/v8-flags.ts', import.meta.url).href;

/** Creates objects and retains some, then prints the size of V8's new space, MB. */
const FILL = `
const kept = [];
for (let turn = 0; turn < 100; turn += 1) {
  let last;
  for (let at = 0; at < 50_000; at += 1) {
    last = { at, list: [at] };
    if (at % 20 === 0) kept.push(last);
  }
}
const space = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
console.log(space.space_size / 1_048_576);
`;
const PROGRAM = "v8.setFlagsFromString('--semi-space-growth-factor=1');";

describe('the young generation of V8', () => {
  it('grows after `tuneServer`, although the program prevented its growth before', async () => {
    expect(await roomAfter(PROGRAM)).toBeLessThanOrEqual(4);
    expect(await roomAfter(`${PROGRAM} tuneServer();`)).toBeGreaterThanOrEqual(16);
  });
});

async function roomAfter(begin: string): Promise<number> {
  const text = `import v8 from 'node:v8'; import { tuneServer } from '${TUNE}'; ${begin} ${FILL}`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', text]);
  return Number(stdout);
}
