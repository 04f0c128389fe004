/** Interrupts and kills the demo, which runs a venue, a recorded match and a bot as processes. */
import type { ChildProcess } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { leftoverFiles, START_TIMEOUT_MS, startDemo } from './demo-process.ts';
import { ended, newFolder } from './halfspread.ts';

/** Waits until standard output matches a pattern. @returns the match */
function waitForOutput(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer | string) => {
      text += chunk.toString();
      const found = pattern.exec(text);
      if (found !== null) resolve(found);
    });
    child.on('close', () => reject(new Error(`it ended without showing ${String(pattern)}: ${text}`)));
  });
}

async function isReachable(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    () => true,
    () => false,
  );
}

describe('halfspread demo', () => {
  it(
    'cancels its orders, verifies that, prints a summary and ends its venue on SIGINT',
    async () => {
      const folder = newFolder();
      const child = startDemo(folder, ['--duration', '10m']);
      const end = ended(child);
      const [, url = ''] = await waitForOutput(child, /venue (http:\S+)\/graphql/);
      await waitForOutput(child, /[1-9]\d* open \|/);
      expect(await isReachable(url)).toBe(true);
      child.kill('SIGINT');
      const { code, stdout } = await end;
      expect(code).toBe(0);
      expect(stdout).toContain('ended     on request, ');
      expect(stdout).toContain('open      0 own orders at the venue, verified\n');
      expect(stdout).toContain("compared  no difference between the bot's database and the venue");
      expect(await isReachable(url)).toBe(false);
      expect(leftoverFiles(folder)).toEqual([]);
    },
    START_TIMEOUT_MS,
  );

  it(
    'reports that nothing was traded and leaves no files when one or two signals arrive before the bot starts',
    async () => {
      for (const signals of [['SIGINT'], ['SIGINT', 'SIGTERM']] as const) {
        const folder = newFolder();
        const child = startDemo(folder, ['--duration', '10m']);
        const end = ended(child);
        await waitForOutput(child, /a venue on this machine plays/);
        for (const signal of signals) child.kill(signal);
        const { code, stdout, stderr } = await end;
        expect(code).toBe(130);
        expect(stderr).toBe('error: the demo was stopped before its bot started: nothing was traded\n');
        expect(stdout).not.toMatch(/compared|equity/);
        expect(leftoverFiles(folder)).toEqual([]);
      }
    },
    START_TIMEOUT_MS,
  );

  it(
    'leaves no venue and no files when it is killed',
    async () => {
      const folder = newFolder();
      const child = startDemo(folder, ['--duration', '10m']);
      const [, url = ''] = await waitForOutput(child, /venue (http:\S+)\/graphql/);
      child.kill('SIGKILL');
      await expect.poll(() => isReachable(url), { timeout: START_TIMEOUT_MS / 2 }).toBe(false);
      await expect.poll(() => leftoverFiles(folder), { timeout: START_TIMEOUT_MS / 2 }).toEqual([]);
    },
    START_TIMEOUT_MS,
  );
});
