/** Opens and closes the venues of a JSON file, one after the other. The process must then end by itself. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { type Opening, openAndClose, prepareFolder } from './opening-fuzz.ts';

const [path = ''] = process.argv.slice(2);
const openings: Opening[] = JSON.parse(readFileSync(path, 'utf8'));
prepareFolder(dirname(path));
for (const opening of openings) {
  // Printed first: a loop that never ends cannot report itself.
  console.log(JSON.stringify(opening));
  console.log(await openAndClose(dirname(path), opening));
}
