/** Commands to a running bot. Some also work with its database or with the venue. */
import type { ControlCommand } from '../ops/index.ts';
import { type ArgumentSpecs, type CommandSpec, jsonOption } from './command.ts';

/** A market of `halfspread serve --seed`. */
const SEEDED_MARKET = 'will-the-cup-final-go-to-penalties';

const CONFIG = { '--config <file>': 'YAML file of the bot; also accepted as the last operand' };
const BOT_OPTIONS: ArgumentSpecs = {
  '--db <file>': 'database of the bot, instead of its configuration',
  '--bot <address>': 'a bot of another machine: tcp://host:port or tls://host:port',
  '--token-env <name>': 'environment variable with the token of --bot',
  '--token-file <file>': 'file with the token of --bot, with mode 600',
  ...jsonOption('one JSON object'),
  ...CONFIG,
};
const CONFIG_OPERAND = {
  '[config]': 'YAML file of the bot; or use --config for the file, --db for the database, --bot for the address',
};
const VENUE = { '--venue': 'read from the venue itself, without a bot' };
const STATE_OPTIONS = {
  ...CONFIG,
  '--db <file>': "the bot's database, instead of the configuration's",
  '--strategy <name>': 'only of this strategy',
  '--market <market>': 'only of this market; slug or id',
};
const REASON = { '--reason <text>': 'why, for the records' };

export const BOT_COMMANDS: readonly CommandSpec[] = [
  botCommand({
    name: 'status',
    summary: 'mode, health, money, counts and markets',
    description:
      'Shows mode, health, money, counts and markets of a bot. For a stopped bot it reads the database; with --venue, the account at the venue.',
    options: VENUE,
  }),
  botCommand({
    name: 'orders',
    summary: 'open orders',
    description: 'Lists open orders of a bot, running or stopped; with --venue, those of the account.',
    options: VENUE,
  }),
  botCommand({
    name: 'positions',
    summary: 'holdings in each market',
    description:
      'Lists the positions of a bot, running or stopped, with the results of closed ones; with --venue, the open ones of the account.',
    options: VENUE,
  }),
  botCommand({
    name: 'fills',
    summary: 'the last fills',
    description:
      'Lists the last fills of a bot, the newest first, including those of earlier runs; with --venue, those of the account.',
    options: { ...VENUE, '--limit <n>': { meaning: 'how many fills', default: '50' } },
  }),
  {
    name: 'cancel',
    summary: 'cancel one order; the strategy may place another',
    description:
      'Cancels one order of a running bot and waits until the venue confirms the cancel. The strategy may place another order at once, unless you pause the bot or remove the market.',
    args: { '<order>': 'number of the order, as `orders` shows it', ...CONFIG_OPERAND },
    options: { ...BOT_OPTIONS, ...REASON },
    examples: ['npx halfspread cancel 12 config/live.yaml'],
    load: async () => (await import('./actions/control.ts')).cancelOrder,
  },
  botCommand({
    name: 'cancel-all',
    summary: 'cancel every order; the bot may quote again',
    description:
      'Cancels every order of a running bot, which may quote again at once; with --venue, every order of the account.',
    options: { ...VENUE, ...REASON },
  }),
  botCommand({
    name: 'pause',
    summary: 'withdraw all quotes, send nothing more',
    description: 'Withdraws all quotes of a running bot, which sends nothing more until `resume`.',
    options: REASON,
  }),
  botCommand({
    name: 'reduce',
    summary: 'only reduce positions',
    description: 'Lets a running bot only reduce its positions until `resume`.',
    options: REASON,
  }),
  botCommand({
    name: 'flatten',
    summary: 'close positions, then pause',
    description: 'Closes positions within the price collar, then pauses.',
    options: REASON,
  }),
  botCommand({
    name: 'kill',
    summary: 'cancel every order at once, verify, send nothing more',
    description:
      'Cancels every order of the account at once, verifies this at the venue, and sends nothing more until `resume`.',
    options: REASON,
  }),
  botCommand({
    name: 'resume',
    summary: 'trade again after pause, reduce, flatten or kill',
    description:
      'Lets a running bot trade again after pause, reduce, flatten or kill. After a kill, losses count from now on.',
    options: REASON,
  }),
  {
    name: 'market',
    summary: 'add a market, remove one, or accept its fee',
    description: 'Adds a market to a running bot, removes one, or accepts a higher fee.',
    commands: [
      {
        name: 'add',
        description: 'Starts the strategies on one more market.',
        args: { '<market>': 'slug or id', ...CONFIG_OPERAND },
        options: {
          ...BOT_OPTIONS,
          '--param <name=value>': { meaning: 'a parameter for this market, in YAML; repeatable', isRepeatable: true },
        },
        examples: [`npx halfspread market add ${SEEDED_MARKET} --config config/live.yaml --param order_amount=5`],
        load: async () => (await import('./actions/control.ts')).addMarket,
      },
      {
        name: 'remove',
        description: 'Withdraws from a market. Its position stays.',
        args: { '<market>': 'slug or id', ...CONFIG_OPERAND },
        options: { ...BOT_OPTIONS },
        examples: [`npx halfspread market remove ${SEEDED_MARKET} --config config/live.yaml`],
        load: async () => (await import('./actions/control.ts')).removeMarket,
      },
      {
        name: 'confirm-fee',
        description: 'Accepts a taker fee that rose: the bot signs orders with a fee up to this one again.',
        args: { '<market>': 'slug or id', '<bps>': 'highest accepted fee rate, basis points', ...CONFIG_OPERAND },
        options: { ...BOT_OPTIONS },
        examples: [`npx halfspread market confirm-fee ${SEEDED_MARKET} 80 --config config/live.yaml`],
        load: async () => (await import('./actions/control.ts')).confirmFee,
      },
    ],
  },
  {
    name: 'signal',
    summary: 'send a signal to the strategies of a running bot',
    description: 'Passes outside information to the strategies of a running bot.',
    commands: [
      {
        name: 'send',
        description: 'Sends one signal: a name and a number. Strategies receive it in `onSignal`.',
        args: { '<name>': 'letters, digits and . _ : -', '<value>': 'a number', ...CONFIG_OPERAND },
        options: { ...BOT_OPTIONS },
        examples: ['npx halfspread signal send rain-tomorrow.p 0.61 --config config/live.yaml'],
        load: async () => (await import('./actions/control.ts')).sendSignal,
      },
    ],
  },
  {
    name: 'set',
    summary: 'change a parameter of the strategy',
    description:
      "Changes a strategy's parameter in a running bot. The strategy's schema checks it, and restarts keep it.",
    args: { '<name=value>': 'the parameter; the value in YAML', ...CONFIG_OPERAND },
    options: {
      ...BOT_OPTIONS,
      '--market <market>': 'only in this market; default: all markets',
      '--strategy <name>': 'only this strategy; needed when the file lists several',
    },
    examples: [`npx halfspread set order_amount=5 --config config/live.yaml --market ${SEEDED_MARKET}`],
    load: async () => (await import('./actions/control.ts')).setParameter,
  },
  {
    name: 'state',
    summary: 'show or remove the saved state of strategies',
    description: 'Shows or removes the states that strategies saved with `context.state`.',
    commands: [
      {
        name: 'show',
        description: 'Shows the saved states, the most recently changed first. The bot may be running or stopped.',
        args: CONFIG_OPERAND,
        options: { ...STATE_OPTIONS, ...jsonOption('a list of objects') },
        examples: ['npx halfspread state show config/live.yaml'],
        load: async () => (await import('./actions/bot-database.ts')).showStates,
      },
      {
        name: 'clear',
        description:
          'Removes saved states of a stopped bot: its strategies start with the defaults of their schemas again. Without --strategy and --market it removes all.',
        args: CONFIG_OPERAND,
        options: {
          ...STATE_OPTIONS,
          '--yes': 'confirm the removal; without it, the command only lists the states',
          ...jsonOption('one JSON object'),
        },
        examples: ['npx halfspread state clear config/live.yaml --strategy my-maker --yes'],
        load: async () => (await import('./actions/bot-database.ts')).clearSavedStates,
      },
    ],
  },
  {
    name: 'backup',
    summary: 'copy the database of a bot, which may run',
    description:
      'Writes a checked copy of the database of a running or stopped bot. It replaces no file. `restore` creates a database from the copy.',
    args: { '<bot>': 'YAML file of the bot, or its database', '<target>': 'the backup: a file that does not exist' },
    options: { ...jsonOption('one JSON object') },
    examples: ['npx halfspread backup config/live.yaml backups/live-2026-10-01.db'],
    load: async () => (await import('./actions/bot-database.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'create the database of a bot from a backup',
    description:
      'Creates the database of a bot from a backup. It replaces no file. The next start cancels orders that are not in the backup, and takes fills and positions from the venue.',
    args: {
      '<backup>': 'file that `backup` wrote',
      '<bot>': 'YAML file of the bot, or its database, which does not exist',
    },
    options: {
      '--sha256 <hash>': 'refuse a backup with another hash; `backup` prints it',
      ...jsonOption('one JSON object'),
    },
    examples: ['npx halfspread restore backups/live-2026-10-01.db config/live.yaml'],
    load: async () => (await import('./actions/bot-database.ts')).restore,
  },
  {
    name: 'prune',
    summary: 'remove old orders, fills and steps from the database of a bot',
    description:
      'Removes orders that ended before a time, with their fills, from the database of a stopped bot. Also removes steps that a snapshot covers. Daily sums of fills, positions, profit and loss stay. A running bot does this itself with `store.keep_days`.',
    args: CONFIG_OPERAND,
    options: {
      ...CONFIG,
      '--before <time>': { meaning: 'a day (UTC) or a time; later orders stay', isRequired: true },
      '--db <file>': "the bot's database, instead of the configuration's",
      '--shrink': 'also return the free space to the disk; needs as much extra space while it runs',
      ...jsonOption('one JSON object'),
    },
    examples: [
      'npx halfspread prune config/live.yaml --before 2026-10-01',
      'npx halfspread prune --db live.db --before 2026-10-01T12:00:00Z --shrink',
    ],
    load: async () => (await import('./actions/bot-database.ts')).prune,
  },
];

/** Describes a control command whose only operand is the bot. */
function botCommand({ options, ...spec }: CommandSpec & { readonly name: ControlCommand }): CommandSpec {
  const { name } = spec;
  return {
    ...spec,
    args: CONFIG_OPERAND,
    options: { ...BOT_OPTIONS, ...options },
    examples: [`npx halfspread ${name} config/live.yaml`],
    load: async () => (await import('./actions/control.ts')).controlAction(name),
  };
}
