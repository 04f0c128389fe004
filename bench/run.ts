/**
 * `npm run bench -- <name>`: runs `bench/<name>.ts`, prints its table and writes `bench/out/<name>.json`.
 *
 * Each other file of this folder is a bench, except `harness.ts`. Folders contain code that benches share.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, describeMachine, formatReport, writeReport } from './harness.ts';

const NO_BENCHES = new Set(['harness', 'run']);

const [name, ...extra] = process.argv.slice(2);
const known = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((file) => !NO_BENCHES.has(file))
  .toSorted();
const usage = `usage: npm run bench -- <name>, where <name> is one of: ${known.join(', ')}`;

if (name === undefined) {
  console.log(usage);
} else if (!known.includes(name) || extra.length > 0) {
  const isUnknown = extra.length === 0;
  console.error(isUnknown ? `unknown bench "${name}"` : `one bench at a time, got: ${[name, ...extra].join(' ')}`);
  console.error(usage);
  process.exitCode = 1;
} else {
  const machine = describeMachine();
  const report = await (await load(name))();
  console.log(formatReport(name, machine, report));
  console.log(`\nwritten to ${writeReport(join(import.meta.dirname, 'out'), name, machine, report)}`);
}

async function load(bench: string): Promise<Bench> {
  const loaded: { readonly default?: unknown } = await import(`./${bench}.ts`);
  if (!isBench(loaded.default))
    throw new Error(`bench/${bench}.ts: the default export must be a function (type Bench)`);
  return loaded.default;
}

function isBench(value: unknown): value is Bench {
  return typeof value === 'function';
}
