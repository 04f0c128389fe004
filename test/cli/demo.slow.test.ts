/** How the demo ends when it is interrupted or killed: a venue, a recorded match and a bot as processes. */
import type { ChildProcess } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { demoIn, left, SLOW } from './demo-process.ts';
import { ended, newFolder } from './halfspread.ts';

/** Waits until it writes this to standard output; the answer is what it has written. */
function shown(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
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

async function isReached(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    () => true,
    () => false,
  );
}

describe('halfspread demo', () => {
  it(
    'cancels, verifies and reports on SIGINT, and its venue ends too',
    async () => {
      const folder = newFolder();
      const child = demoIn(folder, ['--duration', '10m']);
      const end = ended(child);
      const [, url = ''] = await shown(child, /venue (http:\S+)\/graphql/);
      await shown(child, /[1-9]\d* open \|/);
      expect(await isReached(url)).toBe(true);
      child.kill('SIGINT');
      const { code, stdout } = await end;
      expect(code).toBe(0);
      expect(stdout).toContain('ended     on request, after ');
      expect(stdout).toContain('open      0 own orders at the venue, verified\n');
      expect(stdout).toContain("compared  no difference between the bot's database and the venue");
      expect(await isReached(url)).toBe(false);
      expect(left(folder)).toEqual([]);
    },
    SLOW,
  );

  it(
    'reports that nothing was traded and leaves no files when it is interrupted before it starts, once or twice',
    async () => {
      for (const signals of [['SIGINT'], ['SIGINT', 'SIGTERM']] as const) {
        const folder = newFolder();
        const child = demoIn(folder, ['--duration', '10m']);
        const end = ended(child);
        await shown(child, /a venue on this machine plays/);
        for (const signal of signals) child.kill(signal);
        const { code, stdout, stderr } = await end;
        expect(code).toBe(130);
        expect(stderr).toBe('error: the demo was stopped before its bot started: nothing was traded\n');
        expect(stdout).not.toMatch(/compared|equity/);
        expect(left(folder)).toEqual([]);
      }
    },
    SLOW,
  );

  it(
    'ends its venue and removes its files when it is killed',
    async () => {
      const folder = newFolder();
      const child = demoIn(folder, ['--duration', '10m']);
      const [, url = ''] = await shown(child, /venue (http:\S+)\/graphql/);
      child.kill('SIGKILL');
      await expect.poll(() => isReached(url), { timeout: SLOW / 2 }).toBe(false);
      await expect.poll(() => left(folder), { timeout: SLOW / 2 }).toEqual([]);
    },
    SLOW,
  );
});
