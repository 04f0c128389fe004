/** Writes all generated files: `npm run codegen`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DASHBOARD_FOLDER, generateDashboard } from '../../dashboard/codegen/generate.ts';
import { generate } from './generate.ts';

const ROOT = join(import.meta.dirname, '../../..');

for (const [path, text] of await generate()) writeFileSync(join(ROOT, path), text);
for (const [path, text] of generateDashboard()) writeFileSync(join(DASHBOARD_FOLDER, path), text);
