/** Types of the dashboard's API, as JSON has them. Made by `npm run codegen`: do not edit. */
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null;
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** Milliseconds since 1970, UTC. */
  Time: { input: number; output: number; }
  /** Micro-dollars: 1,000,000 are one dollar. An exact integer; it may be negative. */
  MicroUsd: { input: number; output: number; }
  /** Micro-shares: 1,000,000 are one share. An exact integer; a position below 0 is long NO. */
  MicroShares: { input: number; output: number; }
  /** Basis points of the $1 payout: 6,200 are 62 cents. */
  Bps: { input: number; output: number; }
  /** A value of a strategy parameter: number, text, boolean, list or object. */
  Json: { input: unknown; output: unknown; }
};

export type Query = {
  /** Who is signed in, and with which version of halfspread. */
  readonly viewer: Viewer;
  /** All bots that this dashboard watches, in the order of its configuration. */
  readonly bots: ReadonlyArray<Bot>;
  /** One market in full. Null when the bot does not have it or cannot be reached. */
  readonly market: Maybe<Market>;
  /** Price, own quotes and position over a range that ends at 'until' (null: now), thinned to at most 'points' points: of each stretch the lowest and the highest mid. */
  readonly history: MarketHistory;
  /** Equity and P&L by cause of a bot since midnight UTC, as far back as the dashboard has watched; at most 'points' points. */
  readonly equity: EquityHistory;
  /** Open orders of one bot, or of all. */
  readonly orders: ReadonlyArray<Order>;
  /** Fills, the newest first. */
  readonly fills: ReadonlyArray<Fill>;
  /** Lines of a bot's log, the newest first. */
  readonly log: ReadonlyArray<LogLine>;
  /** Pages of backtests, sessions, comparisons and studies in the report folder of this dashboard, the newest first. */
  readonly reports: ReadonlyArray<Report>;
  /** Databases of studies in the folder of studies of this dashboard, the newest first. */
  readonly studies: ReadonlyArray<Study>;
  /** What was done on this dashboard, the newest first. */
  readonly audit: ReadonlyArray<AuditEntry>;
};


export type QueryMarketArgs = {
  bot: Scalars['ID']['input'];
  market: Scalars['String']['input'];
};


export type QueryHistoryArgs = {
  bot: Scalars['ID']['input'];
  market: Scalars['String']['input'];
  rangeMs: Scalars['Float']['input'];
  until: InputMaybe<Scalars['Time']['input']>;
  points?: Scalars['Int']['input'];
};


export type QueryEquityArgs = {
  bot: Scalars['ID']['input'];
  points?: Scalars['Int']['input'];
};


export type QueryOrdersArgs = {
  bot: InputMaybe<Scalars['ID']['input']>;
};


export type QueryFillsArgs = {
  filter?: FillFilter;
  first?: Scalars['Int']['input'];
};


export type QueryLogArgs = {
  bot: Scalars['ID']['input'];
  level?: LogLevel;
  first?: Scalars['Int']['input'];
};


export type QueryAuditArgs = {
  first?: Scalars['Int']['input'];
};

export type Mutation = {
  /** Carries out an action on a whole bot. The answer says what the venue confirmed. */
  readonly act: ActionResult;
  /** Kills every bot of one kind at once. */
  readonly killAll: ReadonlyArray<ActionResult>;
  /** Cancels one order. The answer says whether the venue confirmed it; the strategy may place another. */
  readonly cancelOrder: ActionResult;
  /** Sets a parameter in one market, or in all markets of the bot. */
  readonly setParameter: ActionResult;
  readonly addMarket: ActionResult;
  readonly removeMarket: ActionResult;
  /** Hides an alert for all viewers until it occurs again. */
  readonly acknowledge: Scalars['Boolean']['output'];
};


export type MutationActArgs = {
  bot: Scalars['ID']['input'];
  action: BotAction;
  reason: InputMaybe<Scalars['String']['input']>;
};


export type MutationKillAllArgs = {
  kind: BotKind;
  reason: InputMaybe<Scalars['String']['input']>;
};


export type MutationCancelOrderArgs = {
  bot: Scalars['ID']['input'];
  order: Scalars['ID']['input'];
};


export type MutationSetParameterArgs = {
  bot: Scalars['ID']['input'];
  name: Scalars['String']['input'];
  value: Scalars['Json']['input'];
  market: InputMaybe<Scalars['String']['input']>;
  strategy: InputMaybe<Scalars['String']['input']>;
};


export type MutationAddMarketArgs = {
  bot: Scalars['ID']['input'];
  market: Scalars['String']['input'];
};


export type MutationRemoveMarketArgs = {
  bot: Scalars['ID']['input'];
  market: Scalars['String']['input'];
};


export type MutationAcknowledgeArgs = {
  bot: Scalars['ID']['input'];
  alert: Scalars['ID']['input'];
};

export type Subscription = {
  /** The present state first, then each change, at most twenty times a second. */
  readonly bots: ReadonlyArray<Bot>;
  /** One market: the present state first, then each change, at most ten times a second. Null while the bot does not have it. */
  readonly market: Maybe<Market>;
  /** New lines of a bot's log. */
  readonly log: LogLine;
};


export type SubscriptionMarketArgs = {
  bot: Scalars['ID']['input'];
  market: Scalars['String']['input'];
};


export type SubscriptionLogArgs = {
  bot: Scalars['ID']['input'];
  level?: LogLevel;
};

export type Role =
  /** May look. */
  | 'VIEWER'
  /** May look and act. */
  | 'OPERATOR';

export type Viewer = {
  readonly role: Role;
  readonly version: Scalars['String']['output'];
  /** Time of the dashboard's machine now. */
  readonly now: Scalars['Time']['output'];
};

export type BotKind =
  | 'LIVE'
  | 'PAPER'
  | 'DEMO';

export type TradingMode =
  | 'ACTIVE'
  | 'REDUCING'
  | 'PAUSED'
  | 'KILLED';

export type Link =
  | 'UP'
  | 'DOWN';

export type Agreement =
  | 'AGREES'
  | 'COMPARING'
  | 'DISAGREES';

export type Side =
  | 'BID'
  | 'ASK';

export type LogLevel =
  | 'DEBUG'
  | 'INFO'
  | 'WARN'
  | 'ERROR';

export type AlertLevel =
  | 'INFO'
  | 'WARNING'
  | 'CRITICAL';

/** One figure for people: the worst that is true of the bot now. */
export type Health =
  /** Every open market has a bid and an ask of its own. */
  | 'QUOTING'
  /** Some open market lacks a bid or an ask of its own. */
  | 'ONE_SIDED'
  /** No own quote stands. */
  | 'IDLE'
  /** The oldest book is older than its limit. */
  | 'STALE'
  /** Quotes are withdrawn by an operator or a rule. */
  | 'PAUSED'
  | 'REDUCING'
  | 'KILLED'
  /** The bot has no connection to its venue. */
  | 'LINK_DOWN'
  /** The account differs from the venue, or is being compared. */
  | 'COMPARING'
  /** The bot does not answer this dashboard. */
  | 'UNREACHABLE';

export type Bot = {
  /** Name in the dashboard's configuration. */
  readonly id: Scalars['ID']['output'];
  readonly health: Health;
  /** Why it is not QUOTING, in a few words. Null while it is. */
  readonly healthReason: Maybe<Scalars['String']['output']>;
  /** When the bot last said something. Null before the first time. */
  readonly seenAt: Maybe<Scalars['Time']['output']>;
  /** By how much the bot's clock was ahead of the dashboard's when it last said something, ms; below 0 it was behind. Null before the first time. */
  readonly clockAheadMs: Maybe<Scalars['Float']['output']>;
  /** What the bot said last. Null before the first time. */
  readonly state: Maybe<BotState>;
};

export type BotState = {
  readonly kind: BotKind;
  readonly pid: Scalars['Int']['output'];
  readonly version: Scalars['String']['output'];
  readonly startedAt: Scalars['Time']['output'];
  /** Time of the bot's machine. */
  readonly now: Scalars['Time']['output'];
  readonly account: Scalars['String']['output'];
  readonly venue: Scalars['String']['output'];
  readonly mode: TradingMode;
  readonly modeReason: Maybe<Scalars['String']['output']>;
  readonly killReason: Maybe<Scalars['String']['output']>;
  /** Whether the venue confirmed after a kill that no order is open. Null without a kill, or while that is checked. */
  readonly killVerified: Maybe<Scalars['Boolean']['output']>;
  readonly venueMode: Scalars['String']['output'];
  readonly venueModeReason: Maybe<Scalars['String']['output']>;
  /** What ends a mode other than ACTIVE: a command line, or what to wait for. */
  readonly nextStep: Maybe<Scalars['String']['output']>;
  readonly link: Link;
  readonly reconciled: Agreement;
  /** What the last start or recovery found and did. */
  readonly recovery: Maybe<Scalars['String']['output']>;
  readonly clockSkewMs: Scalars['Float']['output'];
  readonly cash: Scalars['MicroUsd']['output'];
  readonly available: Scalars['MicroUsd']['output'];
  readonly equity: Scalars['MicroUsd']['output'];
  /** Equity less what was put in, since the bot's first run. */
  readonly pnl: Scalars['MicroUsd']['output'];
  readonly today: PnlByCause;
  readonly openOrders: Scalars['Int']['output'];
  readonly fills: Scalars['Int']['output'];
  /** Largest loss if every market goes against the bot, open orders included. */
  readonly worstCase: Scalars['MicroUsd']['output'];
  /** Time with own quotes on both sides over the time in which markets were open, since midnight UTC, 0 to 1. Null before the first market was open. */
  readonly twoSided: Maybe<Scalars['Float']['output']>;
  /** Intents that risk limits refused since the process began, by code. */
  readonly refused: ReadonlyArray<Count>;
  /** Commands that the venue refused since the process began, by reason. */
  readonly rejected: ReadonlyArray<Count>;
  /** Closest to its limit first. */
  readonly limits: ReadonlyArray<LimitUse>;
  readonly rates: ReadonlyArray<RateBudget>;
  /** Milliseconds from an order's command to the venue's answer. Null before the first. */
  readonly acknowledgement: Maybe<Acknowledgement>;
  readonly strategies: ReadonlyArray<Scalars['String']['output']>;
  readonly markets: ReadonlyArray<MarketLine>;
  readonly alerts: ReadonlyArray<Alert>;
};

export type Count = {
  readonly name: Scalars['String']['output'];
  readonly count: Scalars['Int']['output'];
};

/** Profit and loss since midnight UTC (or since the process began, if later) by cause. The parts sum to the total exactly. */
export type PnlByCause = {
  readonly from: Scalars['Time']['output'];
  readonly total: Scalars['MicroUsd']['output'];
  /** What fills were worth against the mark just before them. */
  readonly spread: Scalars['MicroUsd']['output'];
  /** What the mark moved while positions were held. */
  readonly inventory: Scalars['MicroUsd']['output'];
  /** What final markets paid against their last mark. */
  readonly settlement: Scalars['MicroUsd']['output'];
  /** Paid fees, as a negative number. */
  readonly fees: Scalars['MicroUsd']['output'];
  /** Rebates and rewards. */
  readonly rewards: Scalars['MicroUsd']['output'];
  /** What rounding to whole micro-dollars left over. */
  readonly rounding: Scalars['MicroUsd']['output'];
};

export type LimitUse = {
  /** As in the configuration, such as 'max_position'. */
  readonly name: Scalars['String']['output'];
  /** What it holds for: 'account', a market's slug or an event. */
  readonly scope: Scalars['String']['output'];
  /** In the unit of the limit. */
  readonly used: Scalars['Float']['output'];
  /** Null: no limit. */
  readonly limit: Maybe<Scalars['Float']['output']>;
  readonly unit: LimitUnit;
  /** What happens at the limit: 'refuse', 'kill' or 'withdraw'. */
  readonly atBreach: Scalars['String']['output'];
};

export type LimitUnit =
  | 'USD'
  | 'SHARES'
  | 'COUNT'
  | 'MS'
  | 'BPS';

export type RateBudget = {
  /** 'order' or 'cancel'. */
  readonly bucket: Scalars['String']['output'];
  /** Tokens that are left. */
  readonly left: Scalars['Float']['output'];
  readonly capacity: Scalars['Float']['output'];
  readonly perSecond: Scalars['Float']['output'];
};

export type Acknowledgement = {
  readonly count: Scalars['Int']['output'];
  readonly p50Ms: Scalars['Float']['output'];
  readonly p99Ms: Scalars['Float']['output'];
};

export type Alert = {
  readonly id: Scalars['ID']['output'];
  readonly kind: Scalars['String']['output'];
  readonly level: AlertLevel;
  readonly text: Scalars['String']['output'];
  readonly time: Scalars['Time']['output'];
  /** How often it occurred since then. */
  readonly count: Scalars['Int']['output'];
  readonly acknowledged: Scalars['Boolean']['output'];
};

/** One market in a list. */
export type MarketLine = {
  readonly slug: Scalars['ID']['output'];
  readonly question: Scalars['String']['output'];
  /** The event that it belongs to. Null without one. */
  readonly event: Maybe<Scalars['String']['output']>;
  readonly status: Scalars['String']['output'];
  readonly acceptingOrders: Scalars['Boolean']['output'];
  readonly strategy: Maybe<Scalars['String']['output']>;
  /** Best outside bid. Null on an empty side. */
  readonly bid: Maybe<Scalars['Bps']['output']>;
  readonly ask: Maybe<Scalars['Bps']['output']>;
  /** Mid in half basis points, so that it is exact. Null before the first book. */
  readonly doubleMid: Maybe<Scalars['Float']['output']>;
  readonly ownBid: Maybe<Scalars['Bps']['output']>;
  readonly ownAsk: Maybe<Scalars['Bps']['output']>;
  readonly bookAgeMs: Maybe<Scalars['Float']['output']>;
  readonly openOrders: Scalars['Int']['output'];
  /** YES less NO. */
  readonly position: Scalars['MicroShares']['output'];
  /** Value of the holdings at the exit side. */
  readonly worth: Scalars['MicroUsd']['output'];
  /** Profit or loss from now on if the market ends YES, open orders that make it worse filled. */
  readonly ifYes: Scalars['MicroUsd']['output'];
  readonly ifNo: Scalars['MicroUsd']['output'];
  /** The larger loss of the two, as a positive number; 0 when neither loses. */
  readonly worst: Scalars['MicroUsd']['output'];
  /** Why no order is signed here. Null while orders are. */
  readonly stopped: Maybe<Scalars['String']['output']>;
  /** As 'BotState.twoSided'. */
  readonly twoSided: Maybe<Scalars['Float']['output']>;
};

/** One market in full. */
export type Market = {
  readonly line: MarketLine;
  readonly tickBps: Scalars['Float']['output'];
  readonly minShares: Scalars['MicroShares']['output'];
  readonly feeBps: Maybe<Scalars['Float']['output']>;
  readonly endsAt: Maybe<Scalars['Time']['output']>;
  /** Average price of the held side. Null without a position. */
  readonly averagePrice: Maybe<Scalars['Bps']['output']>;
  readonly bids: ReadonlyArray<Level>;
  readonly asks: ReadonlyArray<Level>;
  /** The newest first, at most 50. */
  readonly trades: ReadonlyArray<Trade>;
  readonly orders: ReadonlyArray<Order>;
  /** What the strategy wants and what stands at the venue, level by level, asks first. */
  readonly wants: ReadonlyArray<Want>;
  readonly today: PnlByCause;
  /** Since the process of the bot began. */
  readonly run: PnlByCause;
  readonly markouts: ReadonlyArray<Markout>;
  readonly uptime: Maybe<Uptime>;
  readonly parameters: ReadonlyArray<Parameter>;
  /** Limits that hold in this market. */
  readonly limits: ReadonlyArray<LimitUse>;
};

export type Level = {
  readonly price: Scalars['Bps']['output'];
  /** Outside shares: own orders are not in them. */
  readonly shares: Scalars['MicroShares']['output'];
  /** Own shares at this price. */
  readonly own: Scalars['MicroShares']['output'];
  /** At most this many outside shares stand before the own order. Null without one, or before the venue has acknowledged it. */
  readonly ahead: Maybe<Scalars['MicroShares']['output']>;
};

export type Trade = {
  readonly time: Scalars['Time']['output'];
  /** Side of the taker; null when it is unknown. */
  readonly taker: Maybe<Side>;
  readonly price: Scalars['Bps']['output'];
  readonly shares: Scalars['MicroShares']['output'];
  /** Whether an own order was in it. */
  readonly own: Scalars['Boolean']['output'];
};

export type Order = {
  readonly bot: Scalars['ID']['output'];
  readonly order: Scalars['ID']['output'];
  readonly market: Scalars['String']['output'];
  /** In YES terms. */
  readonly side: Side;
  /** In YES terms. */
  readonly price: Scalars['Bps']['output'];
  readonly outcome: Scalars['String']['output'];
  readonly remaining: Scalars['MicroShares']['output'];
  /** 'new', 'live', 'reducing', 'leaving' or 'unknown'. */
  readonly phase: Scalars['String']['output'];
  readonly since: Scalars['Time']['output'];
  readonly tag: Maybe<Scalars['String']['output']>;
};

export type FillFilter = {
  readonly bot?: InputMaybe<Scalars['ID']['input']>;
  readonly market?: InputMaybe<Scalars['String']['input']>;
  readonly from?: InputMaybe<Scalars['Time']['input']>;
  readonly until?: InputMaybe<Scalars['Time']['input']>;
  readonly side?: InputMaybe<Side>;
};

export type Fill = {
  readonly bot: Scalars['ID']['output'];
  readonly time: Scalars['Time']['output'];
  readonly market: Scalars['String']['output'];
  readonly side: Side;
  readonly price: Scalars['Bps']['output'];
  readonly outcome: Scalars['String']['output'];
  readonly shares: Scalars['MicroShares']['output'];
  readonly fee: Scalars['MicroUsd']['output'];
  readonly maker: Scalars['Boolean']['output'];
  readonly trade: Maybe<Scalars['String']['output']>;
  readonly tag: Maybe<Scalars['String']['output']>;
};

export type Want = {
  readonly side: Side;
  /** 1 is the level nearest to the mid. */
  readonly level: Scalars['Int']['output'];
  /** Null: the strategy wants no such level, and an order still stands. */
  readonly wantsPrice: Maybe<Scalars['Bps']['output']>;
  readonly wantsShares: Maybe<Scalars['MicroShares']['output']>;
  readonly standsPrice: Maybe<Scalars['Bps']['output']>;
  readonly standsShares: Maybe<Scalars['MicroShares']['output']>;
  /** Why they differ: 'same', 'sending', 'replacing', 'leaving', 'unknown', 'waits' (rate limit or an answer), 'filled' (less stands than is wanted, within the tolerance), or the code of the limit that refused it. */
  readonly difference: Scalars['String']['output'];
};

export type Markout = {
  /** 'at fill', '1 s' … '1 h', 'resolution'. */
  readonly after: Scalars['String']['output'];
  /** Share-weighted mean in bps of $1. Null without fills. */
  readonly bps: Maybe<Scalars['Float']['output']>;
  /** 95 % interval. Null with fewer than 20 blocks. */
  readonly low: Maybe<Scalars['Float']['output']>;
  readonly high: Maybe<Scalars['Float']['output']>;
  readonly fills: Scalars['Int']['output'];
};

/** Parts of the open time, 0 to 1. */
export type Uptime = {
  readonly both: Scalars['Float']['output'];
  readonly bidOnly: Scalars['Float']['output'];
  readonly askOnly: Scalars['Float']['output'];
  readonly none: Scalars['Float']['output'];
  readonly bidAtBest: Scalars['Float']['output'];
  readonly askAtBest: Scalars['Float']['output'];
};

export type Parameter = {
  readonly strategy: Scalars['String']['output'];
  readonly name: Scalars['String']['output'];
  readonly value: Maybe<Scalars['Json']['output']>;
  /** What it means, with its unit, as the strategy says. Null when it does not say. */
  readonly help: Maybe<Scalars['String']['output']>;
  readonly minimum: Maybe<Scalars['Float']['output']>;
  readonly maximum: Maybe<Scalars['Float']['output']>;
};

/** Equally long lists. A null is a time without that figure. */
export type MarketHistory = {
  readonly from: Scalars['Time']['output'];
  readonly until: Scalars['Time']['output'];
  /** The oldest time with figures. Null without any. */
  readonly oldest: Maybe<Scalars['Time']['output']>;
  readonly time: ReadonlyArray<Scalars['Time']['output']>;
  readonly doubleMid: ReadonlyArray<Maybe<Scalars['Float']['output']>>;
  readonly ownBid: ReadonlyArray<Maybe<Scalars['Bps']['output']>>;
  readonly ownAsk: ReadonlyArray<Maybe<Scalars['Bps']['output']>>;
  readonly position: ReadonlyArray<Maybe<Scalars['MicroShares']['output']>>;
  /** Of the range, at most 500: of more, every second, third and so on. */
  readonly fills: ReadonlyArray<Fill>;
  /** Of the range, all of them. */
  readonly fillCount: Scalars['Int']['output'];
};

export type EquityHistory = {
  readonly time: ReadonlyArray<Scalars['Time']['output']>;
  readonly equity: ReadonlyArray<Scalars['MicroUsd']['output']>;
  /** P&L today, its spread and its inventory. */
  readonly total: ReadonlyArray<Scalars['MicroUsd']['output']>;
  readonly spread: ReadonlyArray<Scalars['MicroUsd']['output']>;
  readonly inventory: ReadonlyArray<Scalars['MicroUsd']['output']>;
};

export type LogLine = {
  readonly time: Scalars['Time']['output'];
  readonly level: LogLevel;
  readonly message: Scalars['String']['output'];
  /** Other fields of the line, as JSON. */
  readonly fields: Scalars['String']['output'];
};

export type Report = {
  readonly id: Scalars['ID']['output'];
  /** Title of the page. */
  readonly title: Scalars['String']['output'];
  readonly time: Scalars['Time']['output'];
  readonly bytes: Scalars['Float']['output'];
  /** Where the page opens. */
  readonly url: Scalars['String']['output'];
};

/** A study: its database, and how it goes while it runs. */
export type Study = {
  readonly id: Scalars['ID']['output'];
  readonly title: Scalars['String']['output'];
  readonly time: Scalars['Time']['output'];
  readonly bytes: Scalars['Float']['output'];
  /** A page that is made of the database. */
  readonly url: Scalars['String']['output'];
  /** Null when it does not run. */
  readonly run: Maybe<StudyRun>;
};

/** What a running study said last. It says something each second. */
export type StudyRun = {
  readonly host: Scalars['String']['output'];
  readonly pid: Scalars['Int']['output'];
  readonly startedAt: Scalars['Time']['output'];
  readonly writtenAt: Scalars['Time']['output'];
  /** False when it said nothing for 15 s: its process was killed, or is stopped. */
  readonly isAlive: Scalars['Boolean']['output'];
  /** Backtests that have ended, and about how many there will be. */
  readonly done: Scalars['Int']['output'];
  readonly total: Scalars['Int']['output'];
  /** Backtests of this start that ended with a problem. */
  readonly failed: Scalars['Int']['output'];
  readonly perSecond: Scalars['Float']['output'];
  /** Milliseconds. Null before a backtest has ended. */
  readonly leftMs: Maybe<Scalars['Float']['output']>;
  /** The best trial so far, and its first objective. */
  readonly best: Maybe<Scalars['String']['output']>;
  readonly threads: Scalars['Int']['output'];
  /** What the terminal said, the newest first. */
  readonly notices: ReadonlyArray<Notice>;
  /** Null on threads of its own process. */
  readonly remote: Maybe<RemoteWork>;
};

export type Notice = {
  readonly time: Scalars['Time']['output'];
  readonly text: Scalars['String']['output'];
};

/** The work that machines do for a study through Redis. */
export type RemoteWork = {
  /** What the study waits for. Null while it goes on. */
  readonly problem: Maybe<Scalars['String']['output']>;
  /** Workers that are there. */
  readonly connected: Scalars['Int']['output'];
  /** Backtests that are in Redis, waiting or running. */
  readonly queued: Scalars['Int']['output'];
  /** Times that a worker gave a backtest back, as it lacks something. */
  readonly returned: Scalars['Int']['output'];
  /** Times that a worker was lost with its backtest. */
  readonly lost: Scalars['Int']['output'];
  readonly computingSeconds: Scalars['Float']['output'];
  /** Null without a price of a thread. */
  readonly costUsd: Maybe<Scalars['Float']['output']>;
  readonly workers: ReadonlyArray<StudyWorker>;
};

export type StudyWorker = {
  readonly name: Scalars['ID']['output'];
  readonly host: Scalars['String']['output'];
  readonly threads: Scalars['Int']['output'];
  /** 'working', 'draining' (takes nothing new), 'ended', or 'gone' without saying so. */
  readonly state: Scalars['String']['output'];
  /** That it computed for this study. */
  readonly backtests: Scalars['Int']['output'];
  readonly failed: Scalars['Int']['output'];
  readonly returned: Scalars['Int']['output'];
  readonly perSecond: Scalars['Float']['output'];
  /** Milliseconds since it was last seen. */
  readonly silentMs: Scalars['Float']['output'];
};

export type BotAction =
  | 'PAUSE'
  | 'RESUME'
  | 'REDUCE'
  | 'FLATTEN'
  | 'KILL'
  | 'CANCEL_ALL';

export type ActionResult = {
  readonly bot: Scalars['ID']['output'];
  readonly done: Scalars['Boolean']['output'];
  /** What the bot did and what the venue confirmed, or why nothing was done. */
  readonly text: Scalars['String']['output'];
  readonly mode: Maybe<TradingMode>;
};

export type AuditEntry = {
  readonly time: Scalars['Time']['output'];
  /** Role of who did it. */
  readonly who: Role;
  /** Address that the request came from. */
  readonly from: Scalars['String']['output'];
  readonly bot: Scalars['ID']['output'];
  readonly action: Scalars['String']['output'];
  readonly details: Scalars['String']['output'];
  readonly done: Scalars['Boolean']['output'];
  readonly text: Scalars['String']['output'];
};
