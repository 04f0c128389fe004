/** `halfspread bench-strategies`: all strategies on the benchmark set. */
import { z } from 'zod';
import { benchmark, benchmarkNames } from '../../app/benchmark.ts';
import { wallClock } from '../../clock/index.ts';
import { Fault, InputFault } from '../../domain/index.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { benchmarkPage, benchmarkText } from '../output/benchmark-text.ts';
import { progressBar } from '../output/progress.ts';
import type { Session } from '../output/terminal.ts';
import { writePage } from '../output/write-page.ts';

const WORKERS = 'expected a whole number from 1 to 256';

const optionsSchema = z.object({
  json: z.boolean().default(false),
  strategy: z.array(z.string()).optional(),
  regime: z.array(z.string()).optional(),
  rows: z.coerce.number().int().min(1_000).max(10_000_000).optional(),
  workers: z.coerce.number(WORKERS).int(WORKERS).min(1, WORKERS).max(256, WORKERS).optional(),
  markdown: z.string().min(1).optional(),
});

/** Prints the table; with `--markdown` writes it as a page, too. */
export async function benchStrategies({ terminal, end }: Session, given: unknown): Promise<void> {
  const { json, strategy, regime, rows: events, workers, markdown } = optionsSchema.parse(given);
  const names = benchmarkNames();
  demandKnown('--strategy', strategy, names.strategies);
  demandKnown('--regime', regime, names.regimes);
  const bar = progressBar('backtests', 'runs', terminal.err);
  const interruption = listenForInterrupt();
  const clock = wallClock();
  const started = clock.now();
  try {
    const { signal } = interruption;
    const onRun = (done: number, total: number): void => bar.update(done, total, clock.now() - started);
    const rows = await benchmark({ strategies: strategy, regimes: regime, events, workers, signal, onRun });
    bar.stop();
    if (markdown !== undefined) await writePage(terminal, '--markdown', markdown, benchmarkPage(rows));
    terminal.out.write(
      json
        ? `${JSON.stringify(rows)}\n`
        : benchmarkText(rows, terminal.out.isTty ? terminal.out.columns : Number.POSITIVE_INFINITY),
    );
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

function demandKnown(option: string, given: readonly string[] | undefined, known: readonly string[]): void {
  const unknown = given?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new InputFault(option, unknown, `one of ${known.join(', ')}`);
}
