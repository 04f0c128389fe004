/** Backtests of the strategies of this repository on the recorded match. */
import { join } from 'node:path';
import { parseRunSpec, runForResult } from '../../src/backtest/index.ts';

export const ROOT = join(import.meta.dirname, '../..');
export const STRATEGIES = join(ROOT, 'strategies');

/** A run specification that starts at 12:00 by default, when the match is in play. */
export function matchSpec(fields: object) {
  const tapes = ['config/tapes/betfair-1.200806927.tape'];
  return parseRunSpec({ tapes, from: '2022-07-11T12:00:00Z', report_dir: null, ...fields });
}

export function runMatch(fields: object, options: Partial<Parameters<typeof runForResult>[1]> = {}) {
  const machine = { peakRssMb: () => 1 };
  const places = { baseDir: ROOT, strategyFolders: [STRATEGIES] };
  return runForResult(matchSpec(fields), { ...places, version: 'test', machine, ...options });
}
