/** The mappings of `config/mappings/`: each imports its recording `test/fixtures/import/<name>.<format>`. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../../src/config/configuration.ts';
import { importFiles } from '../../../src/history/import/import-files.ts';
import { mappingSchema } from '../../../src/history/import/mapping.ts';
import { PACKAGE_ROOT } from '../../../src/package-files.ts';
import { scratchFolder } from '../scratch.ts';
import { rowsOfTape } from './tape-rows.ts';

const FIXTURES = join(PACKAGE_ROOT, 'test/fixtures/import');
const FORMATS = ['csv', 'jsonl', 'parquet'] as const;

/** For each mapping's recording: rows read, trades on the tape, reasons of dropped rows, and the first row. */
const EXPECTED: Readonly<Record<string, object>> = {
  'polymarket-trades': {
    read: 120,
    trades: 120,
    dropped: [],
    first: '1772149920000 trade ask 9730 41 |',
  },
};

describe('a shipped mapping', () => {
  const names = readdirSync(join(PACKAGE_ROOT, 'config/mappings')).map((file) => file.replace(/\.yaml$/, ''));

  it('has a recording and an expected tape here', () => {
    expect(names.toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
  });

  it.each(names)('imports its recording: %s', async (name) => {
    const format = FORMATS.find((each) => readdirSync(FIXTURES).includes(`${name}.${each}`));
    if (format === undefined) throw new Error(`${FIXTURES} has no recording ${name}.csv, .jsonl or .parquet`);
    const { path, value } = readConfiguration(join(PACKAGE_ROOT, 'config/mappings', `${name}.yaml`), '/');
    const { tapes, counts } = await importFiles({
      format,
      files: [join(FIXTURES, `${name}.${format}`)],
      mapping: mappingSchema.parse(value),
      mappingFile: path,
      folder: scratchFolder(),
    });
    expect({
      read: counts.records,
      trades: counts.trades.prints,
      dropped: [...counts.dropped.keys()],
      first: tapes.flatMap((tape) => rowsOfTape(tape.path))[0],
    }).toEqual(EXPECTED[name]);
  });
});
