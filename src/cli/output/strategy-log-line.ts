import { type EpochMs, formatTime } from '../../domain/index.ts';
import { harmlessLine } from '../../network/index.ts';
import type { LogSource, StrategyLogLine } from '../../runtime/index.ts';

/** A line that a strategy logs in a backtest: simulated time, level, strategy and market, text, fields. */
export function strategyLogLine(line: StrategyLogLine & { readonly source: LogSource }, time: EpochMs): string {
  const { level, text, fields, source } = line;
  const name = source.market === undefined ? source.strategy : `${source.strategy} on ${source.market}`;
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const head = `${formatTime(time)} ${level === 'info' ? '' : `${level.toUpperCase()} `}${name}: ${text}`;
  return `${harmlessLine([head, ...shown].join(' '))}\n`;
}
