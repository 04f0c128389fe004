/** The files of a new project, by path from its folder. */
import { strategyFiles } from './strategy-template.ts';

export const FIRST_STRATEGY = 'my-maker';
export const TAPE = 'node_modules/halfspread/config/tapes/betfair-1.200806927.tape';
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
/** Lines of a `.gitignore`. An existing file gets those that it lacks. */
export const IGNORED: readonly string[] = [
  'node_modules/',
  'reports/',
  'recordings/',
  '.env',
  '*.db',
  '*.db-*',
  '*.sock',
];

/** New files. `package.json` and `.gitignore` are created or extended separately. */
export function projectFiles(): Readonly<Record<string, string>> {
  const strategy = Object.entries(strategyFiles(FIRST_STRATEGY));
  return {
    'tsconfig.json': TSCONFIG,
    '.npmrc': NPMRC,
    '.env.example': ENV_EXAMPLE,
    'config/backtest.yaml': BACKTEST,
    'config/bot.yaml': BOT,
    // A project of CommonJS modules stays one: the strategies alone are ES modules.
    'strategies/package.json': '{ "type": "module" }\n',
    ...Object.fromEntries(strategy.map(([file, text]) => [`strategies/${FIRST_STRATEGY}/${file}`, text])),
  };
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

const ENV_EXAMPLE = `# Copy this file to .env and put your key there. Git ignores .env. Then, before you start a bot: set -a; . ./.env; set +a
# A key for play money: echo "HALFSPREAD_KEY=0x$(openssl rand -hex 32)" > .env
HALFSPREAD_KEY=
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

const BOT = `# Paper: npx halfspread run config/bot.yaml
# Live:  npx halfspread run config/bot.yaml --set mode=live
# Every key: npx halfspread config schema live
version: 1
mode: paper
venue:
  url: http://127.0.0.1:4000
account:
  key: { env: HALFSPREAD_KEY } # where the key is; the key itself never stands here
markets:
  slugs: [betfair-match-odds-1-200806927-runner-228749]
  grid: { tape: ../${TAPE} } # the match has odds, which are not on a tick
strategy: ${FIRST_STRATEGY}
params:
  half_spread: 100
  order_amount: 10
risk:
  max_position: 200 # shares per market
  daily_loss_usd: 50
`;
