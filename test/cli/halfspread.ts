/** Runs the program as a child process through bin/, with the Node version of the tests; see test/program.ts. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterThisFile } from '../cleanup.ts';
import { programPath } from '../program.ts';

/** Folder of the project. */
export const ROOT = join(import.meta.dirname, '../..');

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

/** Waits for the end of a process. */
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

/** Waits until standard error contains a text. */
export function waitForStderr(child: ChildProcess, text: string): Promise<void> {
  let received = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      received += chunk.toString('utf8');
      if (received.includes(text)) resolve();
    });
    child.on('close', () => reject(new Error(`the process ended without writing "${text}": ${received}`)));
  });
}

/** Creates a folder that is removed after all tests of the file. */
export function newFolder(parent: string = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'halfspread-'));
  afterThisFile.add(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
