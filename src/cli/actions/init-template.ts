/** The files of a new project, by path from its folder. */
import { strategyFiles } from './strategy-template.ts';

export const FIRST_STRATEGY = 'my-maker';
const TAPE = 'node_modules/halfspread/config/tapes/betfair-1.200806927.tape';
/** Packages for a project's compiler and tests. A test compares the versions with those of the checkout. */
export const DEV_DEPENDENCIES: Readonly<Record<string, string>> = {
  '@types/node': '^24.19.2',
  typescript: '^6.0.3',
  vitest: '^5.1.1',
};
export const SCRIPTS: Readonly<Record<string, string>> = {
  test: 'vitest run',
  types: 'tsc',
  backtest: 'halfspread backtest config/backtest.yaml',
};
/** Lines of a `.gitignore`. Missing lines are added to an existing file. */
export const IGNORED = ['node_modules/', 'reports/', 'recordings/', '.env', '*.db', '*.db-*', '*.sock'] as const;

/** The user's answers about the bot of a new project. Sizes are shares, the loss is in dollars. */
export interface BotAnswers {
  readonly mode: 'paper' | 'live';
  readonly url: string;
  /** Environment variable with the key. */
  readonly key: string;
  readonly slugs: readonly string[];
  readonly strategy: 'my-maker' | 'ladder';
  /** Bps of the $1 payout. */
  readonly halfSpread: number;
  readonly amount: number;
  readonly maxPosition: number;
  readonly dailyLoss: number;
}

export const DEFAULT_BOT: BotAnswers = {
  mode: 'paper',
  url: 'http://127.0.0.1:4000',
  key: 'HALFSPREAD_KEY',
  slugs: ['betfair-match-odds-1-200806927-runner-228749'],
  strategy: FIRST_STRATEGY,
  halfSpread: 100,
  amount: 10,
  maxPosition: 200,
  dailyLoss: 50,
};

/** New files. `package.json` and `.gitignore` are created or extended separately. */
export function projectFiles(bot = DEFAULT_BOT): Readonly<Record<string, string>> {
  const strategy = Object.entries(strategyFiles(FIRST_STRATEGY));
  return {
    'tsconfig.json': TSCONFIG,
    '.npmrc': NPMRC,
    '.env.example': envExample(bot.key),
    'config/backtest.yaml': BACKTEST,
    'config/bot.yaml': botFile(bot),
    // Makes only the strategies ES modules, so that a project of CommonJS modules continues to work.
    'strategies/package.json': '{ "type": "module" }\n',
    ...Object.fromEntries(strategy.map(([file, text]) => [`strategies/${FIRST_STRATEGY}/${file}`, text])),
  };
}

interface NewProject {
  /** Path of the project; empty for the current folder. */
  readonly displayedFolder: string;
  readonly isInstalled: boolean;
}

/** Returns the next commands for the user. */
export function nextCommands({ displayedFolder, isInstalled }: NewProject, { mode, url, key }: BotAnswers): string {
  const isLocalVenue = url === DEFAULT_BOT.url;
  const run = (runMode: BotAnswers['mode']): string =>
    `npx halfspread run config/bot.yaml${runMode === mode ? '' : ` --set mode=${runMode}`}`;
  const value = isLocalVenue ? '0x$(openssl rand -hex 32)   # a key for play money' : '…   # the key of your account';
  return [
    'next:',
    ...(displayedFolder === '' ? [] : [`  cd ${displayedFolder}`]),
    ...(isInstalled ? [] : ['  npm install']),
    `  npx vitest run                                    # the test of strategies/${FIRST_STRATEGY}`,
    '  npx tsc                                           # types',
    '  npx halfspread backtest config/backtest.yaml      # on a recorded match',
    ...(isLocalVenue
      ? [
          'a venue with play money, in another terminal:',
          `  npx halfspread serve --replay ${TAPE} --from 12:00:00Z --speed 10`,
        ]
      : []),
    'the strategy on the venue:',
    `  ${run('paper').padEnd(48)}  # on paper`,
    `  export ${key}=${value}`,
    `  ${run('live')}`,
    '',
  ].join('\n');
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2024",
    "lib": ["es2024"],
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true,
    "skipLibCheck": true
  },
  "include": ["strategies"]
}
`;

const NPMRC = `# No dependency needs an install script: native parts come prebuilt.
ignore-scripts=true
`;

const envExample = (
  key: string,
): string => `# Copy this file to .env and put your key there. Git ignores .env. Then, before you start a bot: set -a; . ./.env; set +a
# A key for play money: echo "${key}=0x$(openssl rand -hex 32)" > .env
${key}=
`;

const BACKTEST = `# npx halfspread backtest config/backtest.yaml
# Every key: npx halfspread config schema backtest
version: 1
strategy: ${FIRST_STRATEGY}
params:
  half_spread: 100 # bps of the $1 payout: 1 cent from the mid
  order_amount: 10 # shares
tapes: [../${TAPE}]
from: 2022-07-11T11:00:20Z # the start of play
queue: { model: risk-averse }
latency: { model: constant, feed_ms: 50, entry_ms: 80, response_ms: 40 }
fees: { model: none, commission_bps: from tape }
`;

function botFile({ mode, url, key, slugs, strategy, halfSpread, amount, maxPosition, dailyLoss }: BotAnswers): string {
  // Quotes keep YAML from reading a text as a number or `null`. JSON strings are valid YAML.
  const quoted = (value: string): string => (/^[a-z]\w*[-:][\w./:-]*\w$/i.test(value) ? value : JSON.stringify(value));
  const isDefaultMarket = slugs.join() === DEFAULT_BOT.slugs.join();
  const grid = `\n  grid: { tape: ../${TAPE} } # the match has odds, which are not on a tick`;
  const distances =
    strategy === 'ladder'
      ? `bid_spread: ${halfSpread} # bps of the $1 payout\n  ask_spread: ${halfSpread}\n  max_position: ${maxPosition}`
      : `half_spread: ${halfSpread} # bps of the $1 payout`;
  return `# Paper: npx halfspread run config/bot.yaml${mode === 'live' ? ' --set mode=paper' : ''}
# Live:  npx halfspread run config/bot.yaml${mode === 'paper' ? ' --set mode=live' : ''}
# Every key: npx halfspread config schema live
version: 1
mode: ${mode}
venue:
  url: ${quoted(url)}
account:
  key: { env: ${key} } # where the key is; never write the key itself here
markets:
  slugs: [${slugs.map(quoted).join(', ')}]${isDefaultMarket ? grid : ''}
strategy: ${strategy}
params:
  ${distances}
  order_amount: ${amount} # shares
risk:
  max_position: ${maxPosition} # shares per market
  daily_loss_usd: ${dailyLoss}
`;
}
