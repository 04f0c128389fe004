/** The command line: names, options, help and examples. What a command needs is loaded when it runs. */
import { Command } from 'commander';
import { backtestCommand } from './commands/backtest.ts';
import { configCommand } from './commands/config.ts';
import { controlCommands } from './commands/control.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { importCommand } from './commands/import.ts';
import { journalCommand } from './commands/journal.ts';
import { newCommand } from './commands/new.ts';
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

/** @param end hears an exit code other than 0 that is no fault */
export function makeProgram(terminal: Terminal, end: (code: ExitCode) => void): Command {
  const session: Session = { terminal, end };
  const program = new Command('halfspread')
    .description('Market making and trading bots for YES/NO prediction markets.')
    .version(version(), '-V, --version', 'print the version')
    .option('--debug', 'print the stack of every error')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', examples('npx halfspread backtest config/demo.yaml', 'npx halfspread new strategy my-maker'));
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
    doctorCommand,
    runCommand,
    recordCommand,
    replayCommand,
  ];
  for (const command of commands) program.addCommand(command(session));
  for (const command of controlCommands(session)) program.addCommand(command);
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
