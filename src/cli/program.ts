/** The command line: names, options, help and examples. What a command needs is loaded when it runs. */
import { Command } from 'commander';
import { backtestCommand } from './commands/backtest.ts';
import { configCommand } from './commands/config.ts';
import { controlCommands } from './commands/control.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { framesCommand } from './commands/frames.ts';
import { importCommand } from './commands/import.ts';
import { journalCommand } from './commands/journal.ts';
import { marketsCommand } from './commands/markets.ts';
import { newCommand } from './commands/new.ts';
import { pruneCommand } from './commands/prune.ts';
import { recordCommand } from './commands/record.ts';
import { replayCommand } from './commands/replay.ts';
import { runCommand } from './commands/run.ts';
import { serveCommand } from './commands/serve.ts';
import { tapeCommand } from './commands/tape.ts';
import { venueCommand } from './commands/venue.ts';
import type { ExitCode } from './exit-code.ts';
import { examples, type Session } from './session.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

/** What belongs together in the list of commands. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Begin: ['demo', 'new', 'config'],
  Backtest: ['backtest', 'tape', 'import'],
  Trade: ['markets', 'doctor', 'run', 'record', 'replay', 'frames'],
  'A bot that runs': [
    ...['status', 'orders', 'positions', 'fills', 'cancel-all', 'pause', 'reduce', 'flatten', 'kill', 'resume'],
    ...['market', 'set', 'prune'],
  ],
  'A venue of your own': ['serve', 'venue', 'journal'],
};

/** @param end hears an exit code other than 0 that is no fault */
export function makeProgram(terminal: Terminal, end: (code: ExitCode) => void): Command {
  const session: Session = { terminal, end };
  const program = new Command('halfspread')
    .description('Market making and trading bots for YES/NO prediction markets.')
    .version(version(), '-V, --version', 'print the version')
    .option('--debug', 'print the stack of every error')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText(
      'after',
      examples(
        'npx halfspread demo --duration 30s',
        'npx halfspread backtest config/demo.yaml',
        'npx halfspread new strategy my-maker',
      ),
    );
  const commands = [
    demoCommand,
    backtestCommand,
    importCommand,
    tapeCommand,
    journalCommand,
    newCommand,
    configCommand,
    serveCommand,
    venueCommand,
    marketsCommand,
    doctorCommand,
    runCommand,
    recordCommand,
    replayCommand,
    framesCommand,
    pruneCommand,
  ];
  const made = [...commands.map((command) => command(session)), ...controlCommands(session)];
  const places = new Map(
    Object.values(GROUPS)
      .flat()
      .map((name, at) => [name, at]),
  );
  const placeOf = (command: Command): number => places.get(command.name()) ?? places.size;
  for (const command of made.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    const [group] = Object.entries(GROUPS).find(([, names]) => names.includes(command.name())) ?? [];
    program.addCommand(group === undefined ? command : command.helpGroup(`${group}:`));
  }
  return quietly(program, terminal, 'npx halfspread');
}

/** No command writes or exits past the session, at any depth, and each says how it is used when it is used wrongly. */
function quietly(command: Command, terminal: Terminal, name: string): Command {
  const { commands } = command;
  command
    .exitOverride()
    .showHelpAfterError(`(${name} --help ${commands.length === 0 ? 'tells how, with examples' : 'lists the commands'})`)
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
      getOutHelpWidth: () => terminal.out.columns,
      getErrHelpWidth: () => terminal.err.columns,
    });
  for (const inner of commands) quietly(inner, terminal, `${name} ${inner.name()}`);
  return command;
}
