import { z } from 'zod';
import { benchmark, benchmarkNames } from '../../app/benchmark.ts';
import { InputFault } from '../../domain/index.ts';
import { action, flag, optionalText, whole } from '../command.ts';
import { benchmarkPage, benchmarkText } from '../output/benchmark-text.ts';
import { withProgressBar } from '../output/progress.ts';
import { endInterrupted, writeResult } from '../output/terminal.ts';
import { writePage } from '../output/write-page.ts';

const OPTIONS = {
  json: flag,
  strategy: z.array(z.string()).optional(),
  regime: z.array(z.string()).optional(),
  rows: whole(1_000, 10_000_000).optional(),
  workers: whole(1, 256).optional(),
  markdown: optionalText,
};

export const benchStrategies = action(OPTIONS, async (session, _, options) => {
  const { terminal, interruption } = session;
  const { json, strategy, regime, rows, workers, markdown } = options;
  const names = benchmarkNames();
  const strategies = selectNames('--strategy', strategy, names.strategies);
  const regimes = selectNames('--regime', regime, names.regimes);
  const { signal } = interruption();
  try {
    const results = await withProgressBar('backtests', 'runs', terminal.err, (onRun) =>
      benchmark({ strategies, regimes, rows, workers, signal, onRun }),
    );
    if (markdown !== undefined) await writePage(terminal, '--markdown', markdown, benchmarkPage(results));
    writeResult(terminal, json, results, (width) => benchmarkText(results, width));
  } catch (fault) {
    if (!endInterrupted(session, fault, 'nothing was written')) throw fault;
  }
});

/** Returns the distinct names, or undefined if none are given. @throws InputFault for an unknown name */
function selectNames(
  option: string,
  given: readonly string[] | undefined,
  known: readonly string[],
): readonly string[] | undefined {
  const unknown = given?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new InputFault(option, unknown, `one of ${known.join(', ')}`);
  return given && [...new Set(given)];
}
