/** The log of a bot, and its stream, which shows where lines are late or missing. */
import { z } from 'zod';
import { type Clock, sleep } from '../../clock/index.ts';
import { Fault, thrownText } from '../../domain/index.ts';
import type { LogLevel, LogLine } from '../generated/schema-types.ts';
import { logLineSchema } from './report-schema.ts';
import { streamValues } from './value-stream.ts';
import type { WatchedBot } from './watched-bot.ts';

const INTERVAL_MS = 1_000;
/** Maximum number of lines of one read. A bot keeps at least as many. */
const MAX_LINES = 2_000;
const LEVELS: readonly LogLevel[] = ['DEBUG', 'INFO', 'WARN', 'ERROR'];

/** Reads the newest lines, the newest first. @throws the Faults of `WatchedBot.read`; Fault for an invalid answer */
export async function readLog(
  bot: WatchedBot,
  level: LogLevel,
  limit: number,
  { after, signal }: { readonly after?: number | undefined; readonly signal?: AbortSignal } = {},
): Promise<readonly LogLine[]> {
  const answer = await bot.read('log', { level, limit: Math.min(Math.max(1, limit), MAX_LINES), after }, signal);
  const lines = z.array(logLineSchema).safeParse(answer);
  if (lines.success) return lines.data;
  throw new Fault('CONTROL', `${bot.id}: the bot sent an invalid log`, { cause: lines.error });
}

/**
 * Streams the lines of a log. A failed read is repeated after `INTERVAL_MS`.
 * @param after number of the line after which the stream begins; undefined for new lines only
 */
export function streamLog(
  bot: WatchedBot,
  level: LogLevel,
  after: number | undefined,
  clock: Clock,
): AsyncGenerator<LogLine, void, void> {
  return streamValues((waiting, wake) => {
    const ending = new AbortController();
    const readNewLines = createLogReader(bot, { level, first: after, signal: ending.signal }, clock);
    const poll = async (): Promise<void> => {
      while (!ending.signal.aborted) {
        // The bot keeps further lines until a slow subscriber has read the waiting ones.
        if (waiting.length === 0) {
          waiting.push(...(await readNewLines()));
          wake();
        }
        await sleep(clock, INTERVAL_MS, ending.signal);
      }
    };
    void poll();
    return () => ending.abort();
  });
}

/** Returns a function that reads new lines, the oldest first. Lines with the number 0 say what is late or missing. */
function createLogReader(
  bot: WatchedBot,
  {
    level,
    first,
    signal,
  }: { readonly level: LogLevel; readonly first: number | undefined; readonly signal: AbortSignal },
  clock: Clock,
): () => Promise<readonly LogLine[]> {
  let after = first;
  /** Start of the process that answered the last read; undefined before the first answer. */
  let startedAt: number | undefined;
  let isLate = false;
  const notice = (noticeLevel: LogLevel, message: string): LogLine => {
    return { seq: 0, time: clock.now(), level: noticeLevel, message, fields: '{}' };
  };
  const readNewLines = async (): Promise<readonly LogLine[]> => {
    if (bot.problem !== undefined) throw new Fault('CONTROL', `${bot.id}: ${bot.problem}`);
    const processStart = bot.report?.startedAt;
    const hasRestarted = startedAt !== undefined && startedAt !== processStart;
    // A new process numbers its lines from 1.
    const from = hasRestarted ? 0 : after;
    // The numbers of all levels have no gaps. Thus a gap shows missing lines.
    const lines = await readLog(bot, 'DEBUG', from === undefined ? 1 : MAX_LINES, { after: from, signal });
    const oldest = lines.at(-1)?.seq ?? 0;
    const missing = startedAt === undefined || from === undefined ? 0 : Math.max(0, oldest - from - 1);
    const notices = [
      ...(isLate ? [notice('INFO', 'The dashboard can read the log again')] : []),
      ...(hasRestarted ? [notice('WARN', 'The bot started again. The last lines before that may be missing')] : []),
      ...(missing > 0 ? [notice('WARN', `${missing} lines of all levels are missing before the next line`)] : []),
    ];
    [after, startedAt, isLate] = [lines[0]?.seq ?? from ?? 0, processStart, false];
    // Without a first line, the first read only finds the current end of the log.
    if (from === undefined) return notices;
    const isShown = (line: LogLine): boolean => LEVELS.indexOf(line.level) >= LEVELS.indexOf(level);
    return [...notices, ...lines.filter(isShown).toReversed()];
  };
  return async () => {
    try {
      return await readNewLines();
    } catch (error) {
      after ??= 0;
      if (isLate) return [];
      isLate = true;
      return [notice('WARN', `New lines are late, because the dashboard cannot read the log. ${thrownText(error)}`)];
    }
  };
}
