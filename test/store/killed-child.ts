import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/**
 * Runs a child and kills it with SIGKILL after a number of printed lines. Fails if it ends by itself.
 * @returns its output, whose last line may be incomplete
 */
export async function killedAfter(entry: URL, args: readonly string[], lines: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [fileURLToPath(entry), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const said: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    said.push(line);
    if (said.length === lines) child.kill('SIGKILL');
  }
  expect(await closed).toEqual([null, 'SIGKILL']);
  return said;
}
