/** Commands to a bot that runs, and what can be asked of its account at the venue when none does. */
import { type CommandSpec, jsonOption, type OptionSpec } from './command.ts';
import type { Session } from './output/terminal.ts';

/** A market that `halfspread serve --seed` has. */
const SEEDED = 'will-the-cup-final-go-to-penalties';

const PLACE: readonly OptionSpec[] = [
  { term: '--db <file>', meaning: 'database of the bot, instead of its configuration' },
  jsonOption('one JSON object'),
];
const CONFIG: OptionSpec = { term: '--config <file>', meaning: 'YAML file of the bot; or as the last operand' };
const CONFIG_OPERAND = {
  term: '[config]',
  meaning: 'YAML file of the bot; or name it with --config, or its database with --db',
};
const VENUE: OptionSpec = { term: '--venue', meaning: 'ask the venue itself, past any bot' };
const REASON: OptionSpec = { term: '--reason <text>', meaning: 'why, for the records' };

export const BOT_COMMANDS: readonly CommandSpec[] = [
  botCommand({
    name: 'status',
    summary: 'mode, health, money, counts and markets',
    description:
      'Shows mode, health, money, counts and markets of a bot; of one that does not run what its database has; with --venue the account at the venue.',
    options: [VENUE],
  }),
  botCommand({
    name: 'orders',
    summary: 'open orders',
    description: 'Lists open orders of a bot, also of one that does not run; with --venue those of the account.',
    options: [VENUE],
  }),
  botCommand({
    name: 'positions',
    summary: 'what is held',
    description: 'Lists what a bot holds, also of one that does not run; with --venue what the account holds.',
    options: [VENUE],
  }),
  botCommand({
    name: 'fills',
    summary: 'the last fills',
    description:
      'Lists the last fills of a bot, the newest first, those of earlier runs too; with --venue those of the account.',
    options: [VENUE, { term: '--limit <n>', meaning: 'how many', preset: '50' }],
  }),
  botCommand({
    name: 'cancel-all',
    summary: 'cancel every order; it may quote again',
    description:
      'Cancels every order of a running bot, which goes on and may quote again; with --venue every order of the account.',
    options: [VENUE, REASON],
  }),
  botCommand({
    name: 'pause',
    summary: 'withdraw all quotes, send nothing more',
    description: 'Withdraws all quotes of a running bot and sends no more until `resume`.',
    options: [REASON],
  }),
  botCommand({
    name: 'reduce',
    summary: 'do only what shrinks positions',
    description: 'Lets a running bot do only what shrinks its positions, until `resume`.',
    options: [REASON],
  }),
  botCommand({
    name: 'flatten',
    summary: 'take positions out, then pause',
    description: 'Takes positions out within the price collar, then pauses.',
    options: [REASON],
  }),
  botCommand({
    name: 'kill',
    summary: 'cancel every order at once, verify, send nothing more',
    description:
      'Cancels every order of the account at once, verifies it at the venue, and sends nothing more until `resume`.',
    options: [REASON],
  }),
  botCommand({
    name: 'resume',
    summary: 'trade again after any of these',
    description:
      'Lets a running bot trade again, after pause, reduce, flatten or kill; the losses so far are accepted then.',
    options: [REASON],
  }),
  {
    name: 'market',
    summary: 'add a market, remove one, or accept its fee',
    description: 'Adds a market to a running bot, takes one away, or accepts a fee that rose.',
    commands: [
      {
        name: 'add',
        description: 'Puts the strategy on one more market.',
        args: [{ term: '<market>', meaning: 'slug or id' }, CONFIG_OPERAND],
        options: [
          ...PLACE,
          CONFIG,
          {
            term: '--param <name=value>',
            meaning: 'a parameter for this market, in YAML; may come several times',
            repeats: true,
          },
        ],
        examples: [`npx halfspread market add ${SEEDED} --config config/live.yaml --param order_amount=5`],
        run: async (session, [market = '', config], options) =>
          (await import('./actions/control.ts')).addMarket(session, market, withConfig(options, config)),
      },
      {
        name: 'remove',
        description: 'Withdraws from a market; what is held stays.',
        args: [{ term: '<market>', meaning: 'slug or id' }, CONFIG_OPERAND],
        options: [...PLACE, CONFIG],
        examples: [`npx halfspread market remove ${SEEDED} --config config/live.yaml`],
        run: async (session, [market = '', config], options) =>
          (await import('./actions/control.ts')).control(
            session,
            { command: 'market-remove', args: { market }, config },
            options,
          ),
      },
      {
        name: 'confirm-fee',
        description: 'Accepts a taker fee that rose: orders in the market are signed for up to so much again.',
        args: [
          { term: '<market>', meaning: 'slug or id' },
          { term: '<bps>', meaning: 'the highest fee rate that is accepted, basis points' },
          CONFIG_OPERAND,
        ],
        options: [...PLACE, CONFIG],
        examples: [`npx halfspread market confirm-fee ${SEEDED} 80 --config config/live.yaml`],
        run: async (session, [market = '', bps = '', config], options) =>
          (await import('./actions/control.ts')).confirmFee(session, market, bps, withConfig(options, config)),
      },
    ],
  },
  {
    name: 'signal',
    summary: 'send a signal to the strategies of a running bot',
    description: 'Hands outside knowledge to the strategies of a running bot.',
    commands: [
      {
        name: 'send',
        description: 'Sends one signal: a name and a number. Strategies receive it in `onSignal`.',
        args: [
          { term: '<name>', meaning: 'letters, digits and . _ : -' },
          { term: '<value>', meaning: 'a number' },
          CONFIG_OPERAND,
        ],
        options: [...PLACE, CONFIG],
        examples: ['npx halfspread signal send rain-tomorrow.p 0.61 --config config/live.yaml'],
        run: async (session, [name = '', value = '', config], options) =>
          (await import('./actions/control.ts')).sendSignal(session, name, value, withConfig(options, config)),
      },
    ],
  },
  {
    name: 'set',
    summary: 'change a parameter of the strategy',
    description:
      "Changes a strategy's parameter in a running bot; checked by the strategy's schema, kept over restarts.",
    args: [{ term: '<name=value>', meaning: 'the parameter; the value in YAML' }, CONFIG_OPERAND],
    options: [
      ...PLACE,
      CONFIG,
      { term: '--market <market>', meaning: 'only there; everywhere where it is left out' },
      { term: '--strategy <name>', meaning: 'only this strategy; needed when the file lists several' },
    ],
    examples: [`npx halfspread set order_amount=5 --config config/live.yaml --market ${SEEDED}`],
    run: async (session, [parameter = '', config], options) =>
      (await import('./actions/control.ts')).setParameter(session, parameter, withConfig(options, config)),
  },
  {
    name: 'prune',
    summary: 'remove old orders, fills and steps from the database of a bot',
    description:
      'Removes from the database of a bot that does not run what ended before a moment: orders with their fills, and steps that a snapshot has in it. Sums of fills by day, positions, profit and loss stay as they are. A bot that runs does it by itself with `store.keep_days`.',
    args: [{ term: '[config]', meaning: "the bot's YAML file" }],
    options: [
      { term: '--before <time>', meaning: 'a day (UTC) or a time; what ended later stays', isRequired: true },
      { term: '--db <file>', meaning: "the bot's database, in place of the configuration's" },
      {
        term: '--shrink',
        meaning: 'also give what became free back to the disk; needs as much room again meanwhile',
      },
      jsonOption('one JSON object'),
    ],
    examples: [
      'npx halfspread prune config/live.yaml --before 2026-10-01',
      'npx halfspread prune --db live.db --before 2026-10-01T12:00:00Z --shrink',
    ],
    run: async (session, [config], options) => (await import('./actions/prune.ts')).prune(session, config, options),
  },
];

/** One that takes the bot's file and does what its name says. */
function botCommand({ options = [], ...spec }: CommandSpec): CommandSpec {
  const { name } = spec;
  return {
    ...spec,
    args: [CONFIG_OPERAND],
    options: [...PLACE, CONFIG, ...options],
    examples: [`npx halfspread ${name} config/live.yaml`],
    run: (session, [config], options) => control(session, name, config, options),
  };
}

/** The options of a command whose file may be its last operand, too. */
function withConfig(options: unknown, config: string | undefined): unknown {
  return config === undefined ? options : { ...Object(options), operand: config };
}

async function control(session: Session, command: string, config: string | undefined, options: unknown): Promise<void> {
  const actions = await import('./actions/control.ts');
  await actions.control(session, { command, config }, options);
}
