import { z } from 'zod';
import { botPaths } from '../../app/live/paths.ts';
import { type ComparedDay, readStatement } from '../../app/live/statement.ts';
import { wallClock } from '../../clock/index.ts';
import { readLiveFile } from '../../config/live-file.ts';
import {
  DAY_MS,
  epochMs,
  formatMicros,
  formatTime,
  InputFault,
  parseTime,
  startOfUtcDay,
  timeAfter,
  unchecked,
} from '../../domain/index.ts';
import { escapeLine } from '../../network/index.ts';
import { type DayStatement, Redactor } from '../../ops/index.ts';
import { action, flag, optionalText } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { type RowColumn, rowsText } from '../output/columns-text.ts';
import { tableWidth } from '../output/terminal.ts';

const OPTIONS = { db: optionalText, day: z.string().optional(), venue: flag, json: flag };

/** Lists all changes of a bot's cash on a day. Exits with `EXIT.venue` if `--venue` finds differences. */
export const statement = action(OPTIONS, async ({ terminal, setExitCode }, [bot], options) => {
  const { out, err, cwd } = terminal;
  const config = bot !== undefined && /\.ya?ml$/i.test(bot) ? bot : undefined;
  if (options.venue && config === undefined)
    throw new InputFault('--venue', bot, "the bot's YAML file as operand: it names venue and account");
  if (options.db !== undefined && bot !== config)
    throw new InputFault('--db', options.db, `no --db together with a database as operand (${bot})`);
  const { db } = botPaths(config, options.db ?? (config === undefined ? bot : undefined), cwd);
  const now = wallClock().now();
  const day = options.day === undefined ? timeAfter(startOfUtcDay(now), -DAY_MS) : parseDay(options.day);
  const redactor = new Redactor();
  const warn = (text: string): void => err.write(`warning: ${text}\n`);
  const access =
    options.venue && config !== undefined ? { live: readLiveFile(config, cwd), redactor, warn } : undefined;
  const read = await readStatement(db, { day, now }, access);
  const text = options.json
    ? `${JSON.stringify({ ...read.statement, ...(read.venue === undefined ? {} : { venue: read.venue }) })}\n`
    : statementText(read, tableWidth(out));
  out.write(redactor.text(text));
  if ((read.venue?.differences.length ?? 0) > 0) setExitCode(EXIT.venue);
});

/** @throws InputFault for an invalid day */
function parseDay(text: string) {
  try {
    return parseTime('--day', `${text}T00:00:00Z`);
  } catch (cause) {
    if (!(cause instanceof InputFault)) throw cause;
    throw new InputFault('--day', text, 'a day (UTC) such as 2026-11-27');
  }
}

function statementText(
  { statement: day, venue }: { readonly statement: DayStatement; readonly venue: ComparedDay | undefined },
  width: number,
): string {
  const { fills, moves, unlisted, removedFills } = day;
  const count = (causes: readonly string[]): number => moves.filter(({ cause }) => causes.includes(cause)).length;
  const lines: readonly (readonly [title: string, micros: number, rows?: number])[] = [
    ['cash at the start', day.start],
    ['trades', day.trades, fills.length + removedFills],
    ['fees', day.fees],
    ['reversed trades', day.reversals, count(['reversal'])],
    ['payouts', day.payouts, count(['payout'])],
    ['splits and merges', day.conversions, count(['split', 'merge'])],
    ['rebates', day.rebates, count(['rebate'])],
    ['rewards', day.rewards, count(['reward'])],
    ['adjustments', day.adjustments, count(['adjustment'])],
    ['cash at the end', day.end],
  ];
  const amounts = lines.map(([, micros]) => usd(micros));
  const amountWidth = Math.max(...amounts.map(({ length }) => length));
  const sums = lines.map(([title, , rows], index) => {
    return `${title.padEnd(20)}${(amounts[index] ?? '').padStart(amountWidth)}${rows ? `  ${rows}` : ''}\n`;
  });
  return [
    `${day.day} (UTC), ${escapeLine(day.name)}, dollars\n`,
    ...sums,
    ...(removedFills === 0 ? [] : [`${removedFills} fills are in the sums only: their rows were removed\n`]),
    ...(unlisted === 0 ? [] : [unlistedText(unlisted)]),
    ...(fills.length === 0 ? [] : ['\n', rowsText(fills, FILL_COLUMNS, width)]),
    ...(moves.length === 0 ? [] : ['\n', rowsText(moves, MOVE_COLUMNS, width)]),
    ...(venue === undefined ? [] : ['\n', venueText(venue, width)]),
  ].join('');
}

function unlistedText(unlisted: number): string {
  const reason = 'fills that contradicted the holdings, or splits, merges and payouts that an earlier version stored';
  return `${usd(unlisted)} of the cash is explained by no row of the database: ${reason}. The start and end above may not include it\n`;
}

const FILL_COLUMNS: readonly RowColumn<DayStatement['fills'][number]>[] = [
  ['time', ({ time }) => timeOfDay(time)],
  ['market', ({ market }) => market, { shrinks: true }],
  ['side', ({ side, outcome }) => `${side} ${outcome}`],
  ['price', ({ priceBps }) => `${(priceBps / 100).toFixed(2)}c`],
  ['shares', ({ shares }) => String(shares / 1e6)],
  ['cash', ({ cash }) => usd(cash)],
  ['fee', ({ fee }) => usd(fee)],
  ['trade', ({ trade }) => trade ?? '-', { shrinks: true, dropOrder: 1 }],
];

const MOVE_COLUMNS: readonly RowColumn<DayStatement['moves'][number]>[] = [
  ['time', ({ time }) => timeOfDay(time)],
  ['cause', ({ cause }) => cause],
  ['market', ({ market }) => market ?? '-', { shrinks: true }],
  ['earned on', ({ earned }) => earned ?? '-'],
  ['cash', ({ cash }) => usd(cash)],
];

function venueText({ url, compared, differences, notCompared }: ComparedDay, width: number): string {
  const head = `${url}: ${compared} fills, rebates and rewards, and the current cash compared`;
  const notes = notCompared.map((note) => `not compared: ${note}\n`).join('');
  if (differences.length === 0) return `${head}, no difference\n${notes}`;
  return `${head}, ${differences.length} differences\n${rowsText(differences, DIFFERENCE_COLUMNS, width)}${notes}`;
}

const DIFFERENCE_COLUMNS: readonly RowColumn<ComparedDay['differences'][number]>[] = [
  ['what', ({ what }) => what],
  ['id', ({ id }) => id, { shrinks: true }],
  ['field', ({ field }) => field],
  ['bot', ({ field, bot }) => valueText(field, bot)],
  ['venue', ({ field, venue }) => valueText(field, venue)],
];

function valueText(field: string, value: number | string | null): string {
  if (value === null) return 'missing';
  return typeof value === 'string' || field === 'priceBps' ? String(value) : usd(value);
}

function usd(micros: number): string {
  return formatMicros(unchecked.usd(micros));
}

function timeOfDay(time: number): string {
  return formatTime(epochMs(time)).slice(11, 19);
}
