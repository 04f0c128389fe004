import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DASHBOARD_FOLDER, generateDashboard } from './generate.ts';

test('the types and documents of the dashboard equal those generated from its schema', () => {
  for (const [path, text] of generateDashboard()) {
    expect(readFileSync(join(DASHBOARD_FOLDER, path), 'utf8') === text, `${path}: run npm run codegen`).toBe(true);
  }
});
