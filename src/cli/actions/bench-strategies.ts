/** `halfspread bench-strategies`: all strategies on the benchmark set. */
import { z } from 'zod';
import { benchmark, benchmarkNames } from '../../app/benchmark.ts';
import { wallClock } from '../../clock/index.ts';
import { Fault, InputFault } from '../../domain/index.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { benchmarkPage, benchmarkText } from '../output/benchmark-text.ts';
import { perSecond, progressBar } from '../output/progress.ts';
import { type Session, tableWidth } from '../output/terminal.ts';
import { writePage } from '../output/write-page.ts';

const WORKERS = 'expected a whole number from 1 to 256';

const ROWS = 'expected a whole number from 1000 to 10000000';

const optionsSchema = z.object({
  json: z.boolean().default(false),
  strategy: z.array(z.string()).optional(),
  regime: z.array(z.string()).optional(),
  rows: z.coerce.number(ROWS).int(ROWS).min(1_000, ROWS).max(10_000_000, ROWS).optional(),
  workers: z.coerce.number(WORKERS).int(WORKERS).min(1, WORKERS).max(256, WORKERS).optional(),
  markdown: z.string().min(1).optional(),
});

/** Prints the table, and with `--markdown` also writes it as a page. */
export async function benchStrategies({ terminal, end }: Session, given: unknown): Promise<void> {
  const { json, strategy, regime, rows: events, workers, markdown } = optionsSchema.parse(given);
  const names = benchmarkNames();
  const strategies = selectNames('--strategy', strategy, names.strategies);
  const regimes = selectNames('--regime', regime, names.regimes);
  const bar = progressBar('backtests', 'runs', terminal.err);
  const interruption = listenForInterrupt();
  const clock = wallClock();
  const started = clock.now();
  try {
    const { signal } = interruption;
    const onRun = (done: number, total: number): void =>
      bar.update(done, total, perSecond(done, clock.now() - started));
    const rows = await benchmark({ strategies, regimes, events, workers, signal, onRun });
    bar.stop();
    if (markdown !== undefined) await writePage(terminal, '--markdown', markdown, benchmarkPage(rows));
    terminal.out.write(json ? `${JSON.stringify(rows)}\n` : benchmarkText(rows, tableWidth(terminal.out)));
  } catch (fault) {
    bar.stop();
    const code = interruption.code();
    if (code === undefined || !(fault instanceof Fault && fault.code === 'ABORTED')) throw fault;
    terminal.err.write('interrupted: nothing was written\n');
    end(code);
  } finally {
    bar.stop();
    interruption.release();
  }
}

/** Returns the distinct names; undefined without names. @throws InputFault for an unknown name */
function selectNames(
  option: string,
  given: readonly string[] | undefined,
  known: readonly string[],
): readonly string[] | undefined {
  const unknown = given?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new InputFault(option, unknown, `one of ${known.join(', ')}`);
  return given && [...new Set(given)];
}
