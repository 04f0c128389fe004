/** The program as its users run it: a child process through bin/, on the Node that runs the tests; see test/program.ts. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterThisFile } from '../cleanup.ts';
import { programPath } from '../program.ts';

/** Folder of the project. */
export const ROOT = join(import.meta.dirname, '../..');

/** How a command line ended. */
export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line to its end. @param cwd default: the project */
export function halfspread(args: readonly string[], cwd: string = ROOT): Promise<Ended> {
  return ended(start(args, cwd));
}

/** Starts one command line. @param nodeArgs for Node itself */
export function start(
  args: readonly string[],
  cwd: string = ROOT,
  nodeArgs: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): ChildProcess {
  return spawn(process.execPath, [...nodeArgs, programPath(env), ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Waits for its end. */
export function ended(child: ChildProcess): Promise<Ended> {
  const text = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text.stdout += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text.stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...text }));
  });
}

/** Waits until it writes a line with this text to standard error. */
export function said(child: ChildProcess, text: string): Promise<void> {
  let received = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      received += chunk.toString('utf8');
      if (received.includes(text)) resolve();
    });
    child.on('close', () => reject(new Error(`it ended without saying "${text}": ${received}`)));
  });
}

/** A new folder that is gone after the tests of the file; these may run side by side. */
export function newFolder(above: string = tmpdir()): string {
  const folder = mkdtempSync(join(above, 'halfspread-'));
  afterThisFile.add(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
