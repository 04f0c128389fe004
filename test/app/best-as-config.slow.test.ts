import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { bestAsConfig, openStudy } from '../../src/app/optimize.ts';
import { readConfiguration } from '../../src/config/configuration.ts';
import { computeStudyResult } from '../../src/research/index.ts';
import { studyFixture } from '../research/study/study-fixture.ts';

it('the configuration of the best trial has its values and fitted tapes, and no comment about the old values', async () => {
  const fixture = studyFixture(2);
  fixture.write({ trials: 2 });
  const path = join(fixture.folder, 'backtest.yaml');
  writeFileSync(path, `# Nothing here was fitted.\n\n${readFileSync(path, 'utf8')}# The end.\n`);
  const ended = await fixture.run();
  const result = computeStudyResult(ended);
  const study = await openStudy(readConfiguration('study.yaml', fixture.folder), fixture.folder);
  const text = bestAsConfig(study, ended, result);
  expect(text).toMatch(/^# Trial \d of 2 of a study of backtest\.yaml: pnl - pnl_error = .*\nstrategy: ladder\n/);
  expect(text).toContain('# The end.');
  const bySection = Object.entries(result.best?.params ?? {}).map(([key, value]) => [
    key.replace('params.', ''),
    value,
  ]);
  expect(parse(text)).toEqual({
    ...parse(readFileSync(path, 'utf8')),
    params: { bid_spread: 60, ask_spread: 60, order_amount: 20, max_position: 300, ...Object.fromEntries(bySection) },
    fitted_on: ended.training.flatMap(({ hashes }) => hashes),
  });
});
