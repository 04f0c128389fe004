import type { Clock } from '../../clock/index.ts';
import { Fault, InputFault, startOfUtcDay } from '../../domain/index.ts';
import type * as Api from '../generated/schema-types.ts';
import type { AuditLog } from './audit.ts';
import { MAX_FILLS } from './bot-fills.ts';
import { readOrders, waitForVenue } from './bot-orders.ts';
import type { Fleet } from './fleet.ts';
import { readLog, streamLog } from './log-stream.ts';
import { listReports, listStudies } from './report-pages.ts';
import { commandResultSchema, type ReceivedMarketReport } from './report-schema.ts';
import { streamLatest } from './value-stream.ts';
import type { WatchedBot } from './watched-bot.ts';

export interface ApiDeps {
  readonly fleet: Fleet;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly version: string;
  /** Folders of HTML reports and of databases of studies. */
  readonly reports: string;
  readonly studies: string;
  /** Returns the progress of the study with this database; null if it does not run. */
  readonly studyRun: (file: string) => Api.Study['run'];
}

export interface Caller {
  readonly role: Api.Role;
  readonly address: string;
}

const MAX_POINTS = 5_000;
const MAX_CHART_FILLS = 500;

const ACTIONS = {
  PAUSE: 'pause',
  RESUME: 'resume',
  REDUCE: 'reduce',
  FLATTEN: 'flatten',
  KILL: 'kill',
  CANCEL_ALL: 'cancel-all',
} as const satisfies Record<Api.BotAction, string>;

/** Commands that cancel orders and do not wait for the venue. */
const CANCELLING: ReadonlySet<string> = new Set(['pause', 'reduce', 'flatten', 'cancel-all']);

type Command = Parameters<WatchedBot['command']>[0];

/** Returns the root of the API: a function for each field of Query, Mutation and Subscription. */
export function createApiRoot(deps: ApiDeps) {
  const { fleet, audit, clock, version, reports, studies } = deps;

  /** Executes an action, and writes the action to the audit log even if it failed. */
  const executeAction = async (
    caller: Caller,
    id: string,
    command: Command,
    args: Readonly<Record<string, unknown>>,
  ): Promise<Api.ActionResult> => {
    const bot = fleet.bot(id);
    const isAllowed = caller.role === 'OPERATOR';
    const before = bot.report?.openOrders ?? 0;
    const result = isAllowed
      ? await executeCommand(bot, command, args)
      : { done: false, text: 'A viewer may not control bots: sign in as an operator', mode: null };
    const confirmation = result.done && CANCELLING.has(command) ? `. ${await waitForVenue(bot, before, clock)}` : '';
    const text = `${result.text}${confirmation}`;
    const problem = audit.add({
      time: clock.now(),
      who: caller.role,
      from: caller.address,
      bot: id,
      action: command,
      details: JSON.stringify(args),
      done: result.done,
      text,
    });
    return { bot: id, ...result, text: problem === undefined ? text : `${text} (${problem})` };
  };

  return {
    viewer: (_: unknown, caller: Caller): Api.Viewer => ({ role: caller.role, version, now: clock.now() }),
    bots: (): readonly Api.Bot[] => fleet.states(),
    market: async ({ bot, market }: Api.QueryMarketArgs): Promise<Api.Market | null> => {
      const stream = marketStream(fleet.bot(bot), market);
      try {
        const { value } = await stream.next();
        return value ?? null;
      } finally {
        await stream.return();
      }
    },
    history: ({ bot, market, rangeMs, until, points }: Api.QueryHistoryArgs) => {
      const end = until ?? clock.now();
      const range = { from: end - Math.max(0, rangeMs), until: end };
      return marketHistory(fleet.bot(bot), market, range, boundPoints(points ?? 1_000));
    },
    equity: ({ bot, points }: Api.QueryEquityArgs): Api.EquityHistory => {
      const now = clock.now();
      const { times, values } = fleet.bot(bot).equity.between(startOfUtcDay(now), now, boundPoints(points ?? 200));
      const column = (index: number): number[] => values.map((sample) => sample[index] ?? 0);
      return { time: times, equity: column(0), total: column(1), spread: column(2), inventory: column(3) };
    },
    orders: ({ bot }: Api.QueryOrdersArgs): Promise<readonly Api.Order[]> => readRows(fleet, bot, readOrders),
    fills: async ({ filter, first }: Api.QueryFillsArgs): Promise<readonly Api.Fill[]> => {
      const { bot, market, marketContains, from, until, side } = filter ?? {};
      const found = await readRows(fleet, bot, (each) => each.fills());
      return found
        .filter(
          (fill) =>
            (market ?? fill.market) === fill.market &&
            fill.market.includes(marketContains ?? '') &&
            (side ?? fill.side) === fill.side &&
            fill.time >= (from ?? 0) &&
            fill.time < (until ?? Number.POSITIVE_INFINITY),
        )
        .toSorted((a, b) => b.time - a.time)
        .slice(0, Math.min(Math.max(1, first ?? 100), MAX_FILLS));
    },
    log: async ({ bot, level, first }: Api.QueryLogArgs): Promise<readonly Api.LogLine[]> =>
      readLog(fleet.bot(bot), level ?? 'INFO', first ?? 200),
    reports: (): readonly Api.Report[] => listReports(reports),
    studies: (): readonly Api.Study[] => listStudies(studies, deps.studyRun),
    audit: ({ first }: Api.QueryAuditArgs): readonly Api.AuditEntry[] => audit.read(Math.min(first ?? 100, 1_000)),

    act: ({ bot, action, reason }: Api.MutationActArgs, caller: Caller) =>
      executeAction(caller, bot, ACTIONS[action], { reason: reason || undefined }),
    killAll: ({ kind, reason }: Api.MutationKillAllArgs, caller: Caller) => {
      const bots = fleet.bots.filter(({ report }) => report?.kind === kind);
      return Promise.all(bots.map(({ id }) => executeAction(caller, id, 'kill', { reason: reason || undefined })));
    },
    cancelOrder: ({ bot, order }: Api.MutationCancelOrderArgs, caller: Caller) =>
      executeAction(caller, bot, 'cancel', { order: parseOrderNumber(order) }),
    setParameter: ({ bot, name, value, market, strategy }: Api.MutationSetParameterArgs, caller: Caller) =>
      executeAction(caller, bot, 'set', { name, value, market: market ?? undefined, strategy: strategy ?? undefined }),
    addMarket: ({ bot, market }: Api.MutationAddMarketArgs, caller: Caller) =>
      executeAction(caller, bot, 'market-add', { market }),
    removeMarket: ({ bot, market }: Api.MutationRemoveMarketArgs, caller: Caller) =>
      executeAction(caller, bot, 'market-remove', { market }),
    acknowledge: ({ bot, alert }: Api.MutationAcknowledgeArgs, caller: Caller): boolean => {
      if (caller.role !== 'OPERATOR') throw new InputFault('role', caller.role, 'an operator');
      return fleet.acknowledge(bot, alert);
    },

    /** Streams for subscriptions. Each value is the value of the subscription's field. */
    streams: {
      bots: () => fleet.follow(),
      market: ({ bot, market }: Api.SubscriptionMarketArgs) => marketStream(fleet.bot(bot), market),
      log: ({ bot, level, after }: Api.SubscriptionLogArgs) =>
        streamLog(fleet.bot(bot), level ?? 'INFO', after ?? undefined, clock),
    },
  };
}

/** @throws InputFault if the text is not the number of an order */
function parseOrderNumber(text: string): number {
  const number = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new InputFault('order', text, 'the number of an order');
}

async function executeCommand(
  bot: WatchedBot,
  command: Command,
  args: Readonly<Record<string, unknown>>,
): Promise<Pick<Api.ActionResult, 'done' | 'text' | 'mode'>> {
  try {
    const { mode, text } = commandResultSchema.parse(await bot.command(command, args));
    return { done: true, text, mode };
  } catch (error) {
    if (error instanceof Fault) return { done: false, text: error.message, mode: bot.report?.mode ?? null };
    throw error;
  }
}

function marketStream(bot: WatchedBot, market: string): AsyncGenerator<Api.Market | null, void, void> {
  return streamLatest((push) =>
    bot.markets.follow(market, (report) => push(report === null ? null : toMarket(bot.id, report))),
  );
}

function toMarket(bot: string, report: ReceivedMarketReport): Api.Market {
  return { ...report, orders: report.orders.map((order) => ({ bot, ...order })) };
}

async function marketHistory(
  bot: WatchedBot,
  market: string,
  { from, until }: { readonly from: number; readonly until: number },
  points: number,
): Promise<Api.MarketHistory> {
  const samples = bot.history(market);
  const { times, values } = samples?.between(from, until, points) ?? { times: [], values: [] };
  const column = (index: number): (number | null)[] =>
    values.map(({ [index]: value = Number.NaN }) => (Number.isNaN(value) ? null : value));
  const all = bot.problem === undefined ? await bot.fills() : [];
  const fills = all.filter((fill) => fill.market === market && fill.time >= from && fill.time <= until);
  const step = Math.ceil(fills.length / MAX_CHART_FILLS);
  return {
    from,
    until,
    oldest: samples?.oldest ?? null,
    time: times,
    doubleMid: column(0),
    ownBid: column(1),
    ownAsk: column(2),
    position: column(3),
    fills: fills.filter((_, index) => index % step === 0),
    fillCount: fills.length,
  };
}

/** Reads rows of a bot, or of all bots that answer. @throws Fault if the bot, or every bot, does not answer */
async function readRows<Row>(
  fleet: Fleet,
  id: string | null | undefined,
  read: (bot: WatchedBot) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  if (id !== null && id !== undefined) return read(fleet.bot(id));
  const answers = await Promise.allSettled(fleet.reachable().map(read));
  const failed = answers.filter((answer) => answer.status === 'rejected');
  const thrown = failed.find(({ reason }) => !(reason instanceof Fault) || failed.length === answers.length);
  if (thrown !== undefined) throw thrown.reason;
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

function boundPoints(points: number): number {
  return Math.min(Math.max(1, Math.floor(points)), MAX_POINTS);
}
