/** `npm run docs`: writes the generated pages. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pages } from './pages.ts';

const root = join(import.meta.dirname, '../..');
for (const { path, text } of await pages(root)) {
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path}\n`);
}
