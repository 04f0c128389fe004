import { z } from 'zod';
import { InputFault, MARKET_STATUSES } from '../../domain/index.ts';
import { harmless, readPages } from '../../network/index.ts';
import { action, flag, optionalText, whole } from '../command.ts';
import { type RowColumn, rowsText } from '../output/columns-text.ts';
import { tableWidth } from '../output/terminal.ts';
import { postJson } from '../post-json.ts';

const ANY = 'ANY';
const TIMEOUT_MS = 10_000;
const CENTS = 100;

const QUERY = `query Markets($input: MarketsInput) {
  markets(input: $input) {
    totalCount
    pageInfo { hasNextPage endCursor }
    edges { node { id slug question status bestBidBps bestAskBps volumeCents resolutionDate } }
  }
}`;

const OPTIONS = {
  url: z.url({ protocol: /^https?$/, error: 'expected the base URL of a venue, such as http://127.0.0.1:4000' }),
  status: z
    .string()
    .transform((text) => text.toUpperCase())
    .pipe(z.enum([...MARKET_STATUSES, ANY])),
  search: optionalText,
  limit: whole(1, 10_000),
  json: flag,
};

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
export const markets = action(OPTIONS, async ({ terminal }, _, { url, status, search, limit, json }) => {
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
  if (found.length > 0) terminal.out.write(rowsText(found, COLUMNS, tableWidth(terminal.out)));
  const which = status === ANY ? '' : ` ${status}`;
  terminal.err.write(`${found.length} of ${total}${which} markets at ${url}\n`);
});

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

/** A slug is not shortened, so that it can be copied. */
const COLUMNS: readonly RowColumn<Market>[] = [
  ['slug', ({ slug }) => slug],
  ['status', ({ status }) => status],
  ['bid', ({ bestBidBps }) => bps(bestBidBps)],
  ['ask', ({ bestAskBps }) => bps(bestAskBps)],
  ['volume', ({ volumeCents }) => `$${(volumeCents / CENTS).toFixed(2)}`, { dropOrder: 3 }],
  ['ends', ({ resolutionDate }) => minuteText(resolutionDate), { dropOrder: 2 }],
  ['question', ({ question }) => question.replace(/\s+/g, ' '), { shrinks: true, dropOrder: 1 }],
];

function bps(price: number | null): string {
  return price === null ? '-' : String(price);
}

/** Formats a time to the minute, UTC. */
function minuteText(date: string | null): string {
  return date === null ? '-' : `${date.slice(0, 16).replace('T', ' ')}Z`;
}
