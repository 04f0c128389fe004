/** Holds a lease until it is killed. Arguments: the paths. */
import { takeLease } from '../../../src/store/index.ts';

const paths = process.argv.slice(2).map((path) => ({ path, resource: `the thing at ${path}` }));
const free = takeLease(paths, { pid: process.pid, host: 'elsewhere', since: '2026-03-01T12:00:00Z', file: 'first.db' });
process.stdout.write('held\n');
// Keeps a reference, as garbage collection would release the lock.
setInterval(() => free(), 1_000_000);
