/** Commands to a bot that runs, and what can be asked of its account at the venue when none does. */
import { Command } from 'commander';
import { examples, type Session } from '../session.ts';

interface Told {
  readonly name: string;
  /** For the list of commands. */
  readonly summary: string;
  readonly description: string;
  /** Whether it also works on the account at the venue. */
  readonly direct?: boolean;
  readonly example?: string;
}

/** A market that `halfspread serve --seed` has. */
const SEEDED = 'will-the-cup-final-go-to-penalties';

const ASKED: readonly Told[] = [
  {
    name: 'status',
    summary: 'mode, health, money, counts and markets',
    description:
      'Shows mode, health, money, counts and markets of a bot; of one that does not run what its database has; with --venue the account at the venue.',
    direct: true,
  },
  {
    name: 'orders',
    summary: 'open orders',
    description: 'Lists open orders of a bot, also of one that does not run; with --venue those of the account.',
    direct: true,
  },
  {
    name: 'positions',
    summary: 'what is held',
    description: 'Lists what a bot holds, also of one that does not run; with --venue what the account holds.',
    direct: true,
  },
  {
    name: 'fills',
    summary: 'the last fills',
    description:
      'Lists the last fills of a bot, the newest first, those of earlier runs too; with --venue those of the account.',
    direct: true,
  },
];

const ORDERED: readonly Told[] = [
  {
    name: 'cancel-all',
    summary: 'cancel every order; it may quote again',
    description:
      'Cancels every order of a running bot, which goes on and may quote again; with --venue every order of the account.',
    direct: true,
  },
  {
    name: 'pause',
    summary: 'withdraw all quotes, send nothing more',
    description: 'Withdraws all quotes of a running bot and sends no more until `resume`.',
  },
  {
    name: 'reduce',
    summary: 'do only what shrinks positions',
    description: 'Lets a running bot do only what shrinks its positions, until `resume`.',
  },
  {
    name: 'flatten',
    summary: 'take positions out, then pause',
    description: 'Takes positions out within the price collar, then pauses.',
  },
  {
    name: 'resume',
    summary: 'trade again after any of these',
    description:
      'Lets a running bot trade again, after pause, reduce, flatten or kill; the losses so far are accepted then.',
  },
  {
    name: 'kill',
    summary: 'cancel every order at once, verify, send nothing more',
    description:
      'Cancels every order of the account at once, verifies it at the venue, and sends nothing more until `resume`.',
  },
];

/** One program command for each. */
export function controlCommands(session: Session): readonly Command[] {
  return [
    ...ASKED.map((told) => {
      const command = base(told);
      if (told.name === 'fills') command.option('--limit <n>', 'how many', '50');
      return command.action((config: string | undefined, options: unknown) =>
        act(session, { command: told.name, config }, options),
      );
    }),
    ...ORDERED.map((told) =>
      base(told)
        .option('--reason <text>', 'why, for the records')
        .action((config: string | undefined, options: unknown) =>
          act(session, { command: told.name, config }, options),
        ),
    ),
    marketCommand(session),
    setCommand(session),
  ];
}

function base({ name, summary, description, direct = false }: Told): Command {
  const command = withPlace(new Command(name).summary(summary).description(description)).argument(
    '[config]',
    'YAML file of the bot; or name its database with --db',
  );
  if (direct) command.option('--venue', 'ask the venue itself, past any bot');
  return command.addHelpText('after', examples(`npx halfspread ${name} config/live.yaml`));
}

function withPlace(command: Command): Command {
  return command
    .option('--db <file>', 'database of the bot, instead of its configuration')
    .option('--json', 'print one JSON object and nothing else');
}

function marketCommand(session: Session): Command {
  const inner = (name: 'add' | 'remove', description: string, params: string): Command =>
    withPlace(new Command(name).description(description))
      .argument('<market>', 'slug or id')
      .option('--config <file>', 'YAML file of the bot')
      .addHelpText('after', examples(`npx halfspread market ${name} ${SEEDED} --config config/live.yaml${params}`));
  return new Command('market')
    .summary('add a market, remove one, or accept its fee')
    .description('Adds a market to a running bot, takes one away, or accepts a fee that rose.')
    .addCommand(
      inner('add', 'Puts the strategy on one more market.', ' --param order_amount=5')
        .option('--param <name=value>', 'a parameter for this market, in YAML; may come several times', gathered, [])
        .action(async (market: string, options: { readonly config?: string; readonly param: readonly string[] }) => {
          const { parseParameter } = await import('../actions/control.ts');
          const given = options.param.map((text) => parseParameter(text));
          const params = Object.fromEntries(given.map(({ name, value }) => [name, value]));
          return act(session, { command: 'market-add', config: options.config, args: { market, params } }, options);
        }),
    )
    .addCommand(
      inner('remove', 'Withdraws from a market; what is held stays.', '').action(
        (market: string, options: { readonly config?: string }) =>
          act(session, { command: 'market-remove', config: options.config, args: { market } }, options),
      ),
    )
    .addCommand(
      withPlace(new Command('confirm-fee'))
        .description('Accepts a taker fee that rose: orders in the market are signed for up to so much again.')
        .argument('<market>', 'slug or id')
        .argument('<bps>', 'the highest fee rate that is accepted, basis points')
        .option('--config <file>', 'YAML file of the bot')
        .addHelpText('after', examples(`npx halfspread market confirm-fee ${SEEDED} 80 --config config/live.yaml`))
        .action(async (market: string, bps: string, options: { readonly config?: string }) => {
          const { parseFee } = await import('../actions/control.ts');
          const args = { market, feeBps: parseFee(bps) };
          return act(session, { command: 'market-confirm-fee', config: options.config, args }, options);
        }),
    );
}

function setCommand(session: Session): Command {
  return withPlace(new Command('set'))
    .summary('change a parameter of the strategy')
    .description(
      "Changes a strategy's parameter in a running bot; checked by the strategy's schema, kept over restarts.",
    )
    .argument('<name=value>', 'the parameter; the value in YAML')
    .option('--config <file>', 'YAML file of the bot')
    .option('--market <market>', 'only there; everywhere where it is left out')
    .addHelpText('after', examples(`npx halfspread set order_amount=5 --config config/live.yaml --market ${SEEDED}`))
    .action(async (text: string, options: { readonly config?: string; readonly market?: string }) => {
      const { parseParameter } = await import('../actions/control.ts');
      const { market } = options;
      const args = { ...parseParameter(text), ...(market === undefined ? {} : { market }) };
      return act(session, { command: 'set', config: options.config, args }, options);
    });
}

function gathered(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

interface Wish {
  readonly command: string;
  readonly config: string | undefined;
  readonly args?: object;
}

async function act(session: Session, wish: Wish, options: unknown): Promise<void> {
  const { control } = await import('../actions/control.ts');
  await control(session, wish, options);
}
