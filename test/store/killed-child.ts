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
export async function killAfterLines(entry: URL, args: readonly string[], lines: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [fileURLToPath(entry), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const output: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    output.push(line);
    if (output.length === lines) child.kill('SIGKILL');
  }
  expect(await closed).toEqual([null, 'SIGKILL']);
  return output;
}
