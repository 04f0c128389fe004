/**
 * A simple model of a market's lifecycle: a grid of refusals by state and command, and a function for each command. It
 * follows docs/spec/venue.md#market-states, and the tests compare it with the code.
 */
import type { RejectReason } from '../../../src/domain/index.ts';
import type { ExistingMarketCommand } from '../../../src/exchange/markets/command-checks.ts';
import type { LifecycleState } from '../../../src/exchange/markets/lifecycle-state.ts';
import { CREATOR, START, WAITS } from './harness.ts';

export const DEPLOY = 'PENDING_BLOCKCHAIN (DEPLOY)';
const REPORT = 'PENDING_BLOCKCHAIN (REPORT_PAYOUT)';

/** The state of a market. Account 1 is its creator; accounts 2 and 3 hold its shares. */
export interface Life {
  readonly now: number;
  readonly state: LifecycleState;
  readonly halted: boolean;
  readonly traded: boolean;
  readonly tickBps: number;
  readonly minOrderShares: number;
  readonly date: number;
  readonly round: number;
  /** Votes of the current round. */
  readonly votes: readonly { readonly model: string; readonly vote: string | undefined }[];
  /** Accounts that dispute the current decision. */
  readonly disputes: readonly number[];
  readonly attempts: number;
  readonly payout: number | undefined;
  readonly deadline: number | undefined;
  readonly manualFrom: number | undefined;
}

/** A command, the passage of time, or a trade. */
export type Happening =
  | ExistingMarketCommand
  | { readonly type: 'pass'; readonly time: number }
  | { readonly type: 'trade'; readonly time: number };

/** The expected refusal, or the expected state and requests to the engine. */
export interface Expected {
  readonly refusal: RejectReason | undefined;
  readonly life: Life;
  readonly calls: readonly string[];
}

/** A new market, which waits for its contract. */
export const NEWBORN: Life = {
  now: START,
  state: DEPLOY,
  halted: false,
  traded: false,
  tickBps: 10,
  minOrderShares: 1_000_000,
  date: START + 10_000,
  round: 0,
  votes: [],
  disputes: [],
  attempts: 1,
  payout: undefined,
  deadline: START + WAITS.chainTimeout,
  manualFrom: undefined,
};

const ORDER: readonly LifecycleState[] = [
  DEPLOY,
  'OPEN',
  'PENDING_RESOLUTION',
  'RESOLVED',
  REPORT,
  'RESOLUTION_FAILED',
  'RESOLVED_YES',
  'RESOLVED_NO',
  'RESOLVED_UNCERTAIN',
  'CANCELLED',
];

/** . allowed, n MARKET_NOT_OPEN, c CONFLICT, f ALREADY_FINAL; states in the order above. */
const GRID = new Map(
  `halt            n . n n n n n n n n
   resume          n . n n n n n n n n
   changeTick      n . n n n n n n n n
   changeMinOrder  n . n n n n n n n n
   closeEarly      n . n n n n n n n n
   voidByCreator   n . n n n n n n n n
   moveDate        c . . c c c f f f f
   voidMarket      c . . c c . f f f f
   castVote        c c . c c c f f f f
   dispute         c c c . c c f f f f
   upholdDispute   c c c . c c f f f f
   retryResolution c c c c c . f f f f
   decideManually  c c c c c . f f f f
   chainConfirmed  . c c c . c f f f f
   chainFailed     . c c c . c f f f f`
    .split('\n')
    .map((line) => line.trim().split(/ +/))
    .map(([command = '', ...marks]) => [command, marks]),
);
const REASONS: Readonly<Record<string, RejectReason>> = { n: 'MARKET_NOT_OPEN', c: 'CONFLICT', f: 'ALREADY_FINAL' };

/** Returns the reason of a refusal by state alone. */
export function gridReason(state: LifecycleState, command: string): RejectReason | undefined {
  const mark = GRID.get(command)?.[ORDER.indexOf(state)];
  if (mark === undefined) throw new Error(`the grid has no ${command} in ${state}`);
  return REASONS[mark];
}

const CHANGE = ['marketChanged', 'resolutionStepped'];
const CLOSE = ['quotes', 'cancel MARKET_NOT_OPEN'];

/** Returns the expected result of an action. */
export function expected(life: Life, action: Happening): Expected {
  let [now, calls]: [Life, readonly string[]] = [life, []];
  while (now.deadline !== undefined && now.deadline <= action.time) {
    const next = due({ ...now, now: now.deadline });
    [now, calls] = [next.life, [...calls, ...next.calls]];
  }
  now = { ...now, now: action.time };
  const then = action.type === 'pass' ? done(now) : action.type === 'trade' ? trade(now) : requested(now, action);
  return { ...then, calls: [...calls, ...then.calls] };
}

function due(life: Life): Expected {
  if (life.state === DEPLOY) return cancelled(life, [...CLOSE, 'refund', ...CHANGE]);
  if (life.state === 'OPEN') return resolving(life, CLOSE);
  if (life.state === 'RESOLVED') {
    const deadline = life.now + WAITS.chainTimeout;
    const attempts = life.attempts + 1;
    return done({ ...life, state: REPORT, deadline, attempts }, [...CHANGE, 'chainRequested']);
  }
  return failed(life);
}

function requested(life: Life, command: ExistingMarketCommand): Expected {
  const foreign = command.type === 'voidByCreator' && command.account !== CREATOR;
  const refusal = foreign ? 'NOT_FOUND' : (gridReason(life.state, command.type) ?? detail(life, command));
  return refusal === undefined ? allowed(life, command) : { refusal, life, calls: [] };
}

/** Returns the reason of a refusal in a state that allows the command. */
function detail(life: Life, command: ExistingMarketCommand): RejectReason | undefined {
  switch (command.type) {
    case 'halt':
      return life.halted ? 'CONFLICT' : undefined;
    case 'resume':
      return life.halted ? undefined : 'CONFLICT';
    case 'changeTick':
      if (command.tickBps === life.tickBps) return 'CONFLICT';
      return [1, 2, 5, 10, 20, 50, 100].includes(command.tickBps) ? undefined : 'INVALID_TICK';
    case 'changeMinOrder':
      if (command.minOrderShares === life.minOrderShares) return 'CONFLICT';
      return command.minOrderShares < 0 ? 'BELOW_MIN' : undefined;
    case 'voidByCreator':
      return life.traded ? 'CONFLICT' : undefined;
    case 'moveDate':
      return command.resolutionDate > life.now ? undefined : 'EXPIRED_PARAMS';
    case 'castVote': {
      const late = command.round !== life.round || life.votes.length === 3;
      return late || life.votes.some(({ model }) => model === command.vote.model) ? 'CONFLICT' : undefined;
    }
    case 'dispute':
      if (life.disputes.includes(command.account)) return 'CONFLICT';
      return command.account === 2 || command.account === 3 ? undefined : 'INSUFFICIENT_SHARES';
    case 'upholdDispute':
      return life.disputes.length === 0 ? 'CONFLICT' : undefined;
    case 'decideManually':
      return life.now < (life.manualFrom ?? Number.POSITIVE_INFINITY) ? 'CONFLICT' : undefined;
    case 'chainConfirmed':
    case 'chainFailed': {
      const waits = life.state === DEPLOY ? 'DEPLOY' : 'REPORT_PAYOUT';
      return command.step !== waits || command.attempt !== life.attempts ? 'CONFLICT' : undefined;
    }
    default:
      return undefined;
  }
}

function allowed(life: Life, command: ExistingMarketCommand): Expected {
  switch (command.type) {
    case 'halt':
      return done({ ...life, halted: true }, ['cancel MARKET_HALTED', 'marketChanged']);
    case 'resume':
      return done({ ...life, halted: false }, ['marketChanged']);
    case 'changeTick': {
      const { tickBps } = command;
      return done({ ...life, tickBps }, ['cancel TICK_CHANGED', 'marketChanged', `newBook ${tickBps}`, 'bookChanged']);
    }
    case 'changeMinOrder':
      return done({ ...life, minOrderShares: command.minOrderShares }, ['marketChanged']);
    case 'closeEarly':
      return resolving(life, CLOSE);
    case 'voidByCreator':
    case 'voidMarket':
      return cancelled(life, [...(life.state === 'OPEN' ? CLOSE : []), 'refund', ...CHANGE]);
    case 'moveDate': {
      const date = command.resolutionDate;
      return done({ ...life, state: 'OPEN', date, deadline: date }, CHANGE);
    }
    case 'castVote':
      return voted(life, command.vote.model, command.vote.vote);
    case 'dispute':
      return done({ ...life, disputes: [...life.disputes, command.account] }, ['resolutionStepped']);
    case 'upholdDispute':
    case 'retryResolution':
      return resolving(life, []);
    case 'decideManually':
      return decided(life, payoutOf(command.decision), CHANGE);
    case 'chainConfirmed':
      return life.state === DEPLOY ? opened(life) : paid(life);
    case 'chainFailed':
      if (!command.permanent) return done({ ...life, attempts: life.attempts + 1 }, ['chainRequested']);
      return life.state === DEPLOY ? cancelled(life, [...CLOSE, 'refund', ...CHANGE]) : failed(life);
  }
}

function trade(life: Life): Expected {
  return done(life.state === 'OPEN' && !life.halted ? { ...life, traded: true } : life);
}

function opened(life: Life): Expected {
  const open = done({ ...life, state: 'OPEN', deadline: life.date }, [...CHANGE, 'enter']);
  return life.date > life.now ? open : resolving(open.life, [...open.calls, ...CLOSE]);
}

function resolving(life: Life, calls: readonly string[]): Expected {
  const state = 'PENDING_RESOLUTION' as const;
  const round = { round: life.round + 1, votes: [], disputes: [], payout: undefined };
  const deadline = life.now + WAITS.quorumTimeout;
  return done({ ...life, state, ...round, deadline, manualFrom: undefined }, [
    ...calls,
    ...CHANGE,
    'resolutionRequested',
  ]);
}

function voted(life: Life, model: string, vote: 'YES' | 'NO' | 'CANCELLED' | undefined): Expected {
  const votes = [...life.votes, { model, vote }];
  const calls = ['resolutionStepped'];
  if (votes.filter((each) => each.vote === vote).length < 2) return done({ ...life, votes }, calls);
  if (vote === 'CANCELLED') return cancelled({ ...life, votes }, [...calls, 'refund', ...CHANGE]);
  return decided({ ...life, votes }, payoutOf(vote), [...calls, ...CHANGE]);
}

function decided(life: Life, payout: number, calls: readonly string[]): Expected {
  const deadline = life.now + WAITS.disputeWindow;
  return done({ ...life, state: 'RESOLVED', payout, deadline, manualFrom: undefined }, calls);
}

function paid(life: Life): Expected {
  const state = life.payout === 10_000 ? 'RESOLVED_YES' : life.payout === 0 ? 'RESOLVED_NO' : 'RESOLVED_UNCERTAIN';
  return done({ ...life, state, deadline: undefined }, [`settle ${life.payout}`, ...CHANGE]);
}

function failed(life: Life): Expected {
  const manualFrom = life.now + WAITS.safetyPeriod;
  const nothing = { disputes: [], payout: undefined, deadline: undefined };
  return done({ ...life, ...nothing, state: 'RESOLUTION_FAILED', manualFrom }, CHANGE);
}

function cancelled(life: Life, calls: readonly string[]): Expected {
  return done({ ...life, state: 'CANCELLED', payout: undefined, deadline: undefined, manualFrom: undefined }, calls);
}

function payoutOf(decision: 'YES' | 'NO' | undefined): number {
  return decision === undefined ? 5000 : decision === 'YES' ? 10_000 : 0;
}

function done(life: Life, calls: readonly string[] = []): Expected {
  return { refusal: undefined, life, calls };
}
