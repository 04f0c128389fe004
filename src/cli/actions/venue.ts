/** Commands that send requests to a venue, without a bot: `venue` and `markets`. */
import { resolve } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { wallClock } from '../../clock/index.ts';
import { FileFault, InputFault, MARKET_STATUSES } from '../../domain/index.ts';
import { escapeControls, HttpClient, type HttpRequest, parseJson, readPages } from '../../network/index.ts';
import { readFileAtMost } from '../../runtime/index.ts';
import { action, flag, optionalText, whole } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { type RowColumn, rowsText } from '../output/columns-text.ts';
import { tableWidth } from '../output/terminal.ts';

const VENUE_OPTIONS = {
  url: z.url('expected the base URL of a venue, such as http://127.0.0.1:4000'),
  tokenFile: z.string().optional(),
};
const operatorAnswerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({ ok: z.literal(false), error: z.object({ code: z.string(), message: z.string() }) }),
]);

const KEY = /^[a-z][a-z0-9_]*$/;
/** Long, because seeding a venue takes seconds. */
const OPERATOR_TIMEOUT_MS = 60_000;
const MAX_TOKEN_BYTES = 65_536;
const TOKEN_VARIABLE = 'HALFSPREAD_OPERATOR_TOKEN';

/** Sends a command and prints the result. Exits with `EXIT.usage` if the venue refuses the command. */
export const venue = action(VENUE_OPTIONS, async ({ terminal, setExitCode }, [command = '', ...args], options) => {
  if (command === 'commands') {
    const { OPERATOR_COMMANDS } = await import('../../server/index.ts');
    for (const [name, { summary }] of Object.entries(OPERATOR_COMMANDS))
      terminal.out.write(`${name.padEnd(16)}${summary}\n`);
    return;
  }
  const body = JSON.stringify({ ...Object.fromEntries(args.map(parseArgument)), command });
  const headers = { authorization: `Bearer ${readToken(options.tokenFile, terminal.cwd)}` };
  const request = { body, headers, timeoutMs: OPERATOR_TIMEOUT_MS };
  const answer = await postJson({ url: options.url, path: '/operator', request }, operatorAnswerSchema);
  if (answer.ok) return terminal.out.write(`${JSON.stringify(answer.result, null, 2)}\n`);
  terminal.err.write(`error: ${answer.error.message}\n`);
  setExitCode(EXIT.usage);
});

function parseArgument(text: string): readonly [string, unknown] {
  const equals = text.indexOf('=');
  const key = text.slice(0, Math.max(equals, 0));
  if (!KEY.test(key) || key === 'command')
    throw new InputFault('argument', text, 'key=value, such as market=will-it-rain');
  const value = text.slice(equals + 1);
  try {
    return [key, JSON.parse(value)];
  } catch {
    return [key, value];
  }
}

function readToken(file: string | undefined, cwd: string): string {
  if (file !== undefined) {
    try {
      return readFileAtMost(resolve(cwd, file), MAX_TOKEN_BYTES, 'a token').toString('utf8').trim();
    } catch (cause) {
      if (cause instanceof FileFault) throw cause;
      throw new FileFault(file, undefined, 'cannot be read', "Name the file with the operators' token", { cause });
    }
  }
  const token = process.env[TOKEN_VARIABLE];
  if (token === undefined || token === '') {
    const expected = "the operators' token in the environment, or --token-file; `serve` shows it only once";
    throw new InputFault(TOKEN_VARIABLE, token, expected);
  }
  return token;
}

/** Posts a request and parses the JSON response, whatever its HTTP status. @throws InputFault that names --url */
async function postJson<S extends z.ZodType>(
  { url, path, request }: { url: string; path: string; request: Omit<HttpRequest, 'url'> },
  schema: S,
): Promise<z.output<S>> {
  const endpoint = new URL(`${url.replace(/\/$/, '')}${path}`);
  const result = await new HttpClient({ clock: wallClock() }).send({ url: endpoint, ...request });
  if (result.type === 'failed') throw new InputFault('--url', url, `a venue that can be reached (${result.problem})`);
  try {
    return schema.parse(parseJson(result.text));
  } catch (cause) {
    throw new InputFault('--url', url, 'the base URL of a venue; another service answers there', { cause });
  }
}

const ANY = 'ANY';
const MARKETS_TIMEOUT_MS = 10_000;

const QUERY = `query Markets($input: MarketsInput) {
  markets(input: $input) {
    totalCount
    pageInfo { hasNextPage endCursor }
    edges { node { id slug question status bestBidBps bestAskBps volumeCents resolutionDate } }
  }
}`;

const MARKETS_OPTIONS = {
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
const marketsSchema = z.object({
  data: z.object({ markets: pageSchema.nullable() }).nullish(),
  errors: z.array(z.object({ message: z.string() })).optional(),
});

/** Prints the public markets of a venue. @throws InputFault if no venue answers, or the venue refuses the query */
export const markets = action(MARKETS_OPTIONS, async ({ terminal }, _, { url, status, search, limit, json }) => {
  const filter = { ...(status === ANY ? {} : { status }), ...(search === undefined ? {} : { search }) };
  let total = 0;
  const listed: readonly Market[] = await readPages(
    'markets',
    async ({ first, after }) => {
      const page = await readPage(url, { first, sort: 'VOLUME_DESC', filter, ...(after === null ? {} : { after }) });
      total = page.totalCount;
      return page;
    },
    limit,
  );
  if (json) {
    for (const market of listed) terminal.out.write(`${JSON.stringify(market)}\n`);
    return;
  }
  if (listed.length > 0) terminal.out.write(rowsText(listed, COLUMNS, tableWidth(terminal.out)));
  const statusText = status === ANY ? '' : ` ${status}`;
  terminal.err.write(`${listed.length} of ${total}${statusText} markets at ${url}\n`);
});

async function readPage(url: string, input: object): Promise<z.output<typeof pageSchema>> {
  const body = JSON.stringify({ query: QUERY, variables: { input } });
  const request = { body, timeoutMs: MARKETS_TIMEOUT_MS };
  const { data, errors } = await postJson({ url, path: '/graphql', request }, marketsSchema);
  const page = data?.markets;
  if (page === undefined || page === null) {
    const problem = escapeControls(errors?.map(({ message }) => message).join('; ') ?? 'no list of markets');
    throw new InputFault('--url', url, `the base URL of a venue with markets (it answered: ${problem})`);
  }
  return page;
}

/** Slugs are never shortened, so that users can copy them. */
const COLUMNS: readonly RowColumn<Market>[] = [
  ['slug', ({ slug }) => slug],
  ['status', ({ status }) => status],
  ['bid bps', ({ bestBidBps }) => bps(bestBidBps)],
  ['ask bps', ({ bestAskBps }) => bps(bestAskBps)],
  ['volume', ({ volumeCents }) => `$${(volumeCents / 100).toFixed(2)}`, { dropOrder: 3 }],
  ['ends', ({ resolutionDate }) => minuteText(resolutionDate), { dropOrder: 2 }],
  ['question', ({ question }) => question.replace(/\s+/g, ' '), { shrinks: true, dropOrder: 1 }],
];

function bps(price: number | null): string {
  return price === null ? '-' : String(price);
}

function minuteText(date: string | null): string {
  return date === null ? '-' : `${date.slice(0, 16).replace('T', ' ')}Z`;
}
