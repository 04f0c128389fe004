import { z } from 'zod';
import { InputFault, MARKET_STATUSES } from '../../domain/index.ts';
import { harmless, readPages } from '../../network/index.ts';
import { type Session, tableWidth } from '../output/terminal.ts';
import { postJson } from '../post-json.ts';

const ANY = 'ANY';
const TIMEOUT_MS = 10_000;
const CENTS = 100;
const GAP = '  ';
/** A question is left out rather than cut to fewer characters. */
const MIN_QUESTION = 12;

const QUERY = `query Markets($input: MarketsInput) {
  markets(input: $input) {
    totalCount
    pageInfo { hasNextPage endCursor }
    edges { node { id slug question status bestBidBps bestAskBps volumeCents resolutionDate } }
  }
}`;

const optionsSchema = z.object({
  url: z.url({ protocol: /^https?$/, error: 'expected the base URL of a venue, such as http://127.0.0.1:4000' }),
  status: z
    .string()
    .transform((text) => text.toUpperCase())
    .pipe(z.enum([...MARKET_STATUSES, ANY])),
  search: z.string().min(1).optional(),
  limit: z.coerce.number('expected a whole number from 1 to 10000').int().min(1).max(10_000),
  json: z.boolean().default(false),
});

const marketSchema = z.object({
  id: z.string(),
  slug: z.string(),
  question: z.string(),
  status: z.string(),
  bestBidBps: z.int().nullable(),
  bestAskBps: z.int().nullable(),
  volumeCents: z.int(),
  resolutionDate: z.string().nullable(),
});
type Market = z.output<typeof marketSchema>;
const pageSchema = z.object({
  totalCount: z.int(),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  edges: z.array(z.object({ node: marketSchema })),
});
type Page = z.output<typeof pageSchema>;
const answerSchema = z.object({
  data: z.object({ markets: pageSchema.nullable() }).nullish(),
  errors: z.array(z.object({ message: z.string() })).optional(),
});

/** Prints the public markets of a venue. @throws InputFault when no venue answers, or when it refuses */
export async function markets({ terminal }: Session, given: unknown): Promise<void> {
  const { url, status, search, limit, json } = optionsSchema.parse(given);
  const filter = { ...(status === ANY ? {} : { status }), ...(search === undefined ? {} : { search }) };
  let total = 0;
  const found: readonly Market[] = await readPages(
    'markets',
    async ({ first, after }) => {
      const page = await readPage(url, { first, sort: 'VOLUME_DESC', filter, ...(after === null ? {} : { after }) });
      total = page.totalCount;
      return page;
    },
    limit,
  );
  if (json) {
    for (const market of found) terminal.out.write(`${JSON.stringify(market)}\n`);
    return;
  }
  if (found.length > 0) terminal.out.write(table(found, tableWidth(terminal.out)));
  const which = status === ANY ? '' : ` ${status}`;
  terminal.err.write(`${found.length} of ${total}${which} markets at ${url}\n`);
}

async function readPage(url: string, input: object): Promise<Page> {
  const body = JSON.stringify({ query: QUERY, variables: { input } });
  const request = { url, path: '/graphql', body, timeoutMs: TIMEOUT_MS, answer: answerSchema };
  const { data, errors } = await postJson(request);
  const page = data?.markets;
  if (page === undefined || page === null) {
    const problem = harmless(errors?.map(({ message }) => message).join('; ') ?? 'no list of markets');
    throw new InputFault('--url', url, `the base URL of a venue with markets (it answered: ${problem})`);
  }
  return page;
}

/**
 * Columns as wide as necessary, with the question last. Without room for all of them, the question is cut or left out, then the end,
 * then the volume. A slug is never cut, so that it can be copied.
 * @param room characters in a line
 */
function table(found: readonly Market[], room: number): string {
  const rows = [
    ['slug', 'status', 'bid', 'ask', 'volume', 'ends', 'question'],
    ...found.map((market) => [
      ...[market.slug, market.status, bps(market.bestBidBps), bps(market.bestAskBps)],
      ...[`$${(market.volumeCents / CENTS).toFixed(2)}`, minuteText(market.resolutionDate), market.question],
    ]),
  ].map((row) => row.map((cell) => harmless(cell.replace(/\s+/g, ' '))));
  const isRight = [false, false, true, true, true, false, false];
  const widths = isRight.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const shownWidths = fitting(widths, room);
  const line = (row: readonly string[]): string =>
    row
      .slice(0, shownWidths.length)
      .map((cell, at) => cutText(cell, shownWidths[at] ?? 0))
      .map((cell, at) => (isRight[at] === true ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join(GAP)
      .trimEnd();
  return `${rows.map(line).join('\n')}\n`;
}

/** Returns the widths of the columns that fit. */
function fitting(widths: readonly number[], room: number): readonly number[] {
  const before = (count: number): number => widths.slice(0, count).reduce((sum, width) => sum + width + GAP.length, 0);
  const last = widths.length - 1;
  const left = room - before(last);
  if (left >= MIN_QUESTION) return [...widths.slice(0, last), Math.min(left, widths[last] ?? 0)];
  for (const count of [last, last - 1]) if (before(count) - GAP.length <= room) return widths.slice(0, count);
  return widths.slice(0, last - 2);
}

function cutText(cell: string, width: number): string {
  return cell.length > width ? `${cell.slice(0, width - 1)}…` : cell;
}

function bps(price: number | null): string {
  return price === null ? '-' : String(price);
}

/** Formats a time to the minute, UTC. */
function minuteText(date: string | null): string {
  return date === null ? '-' : `${date.slice(0, 16).replace('T', ' ')}Z`;
}
