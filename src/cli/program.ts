/** Builds the command-line interface from the table of commands, and runs one command line. */
import { setFlagsFromString } from 'node:v8';
import { Command, CommanderError } from 'commander';
import { version } from '../package-files.ts';
import { type CommandSpec, toEntries } from './command.ts';
import { GROUPS } from './commands.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { showFault } from './output/show-fault.ts';
import { type Interruption, listenForInterrupt, type Session, type Terminal } from './output/terminal.ts';

const NAME = 'npx halfspread';

/** Runs one command line, without `node` and the script. Never rejects. */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  let interruption: Interruption | undefined;
  const session: Session = {
    terminal,
    setExitCode(newCode) {
      code = newCode;
    },
    interruption() {
      interruption ??= listenForInterrupt();
      return interruption;
    },
  };
  try {
    // Commander's own `help` supports only one level: `help tape info` becomes `tape info --help`.
    const commandLine = args[0] === 'help' && args.length > 2 ? [...args.slice(1), '--help'] : [...args];
    await makeProgram(session).parseAsync(commandLine, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has already printed the problem. `--help` and `--version` throw, too, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { text, exitCode } = showFault(error, { showsStack: args.includes('--debug') });
    terminal.err.write(text);
    return exitCode === EXIT.interrupted ? (interruption?.exitCode() ?? exitCode) : exitCode;
  } finally {
    interruption?.release();
  }
}

export function makeProgram(session: Session): Command {
  const program = new Command('halfspread')
    .description('Market making and trading bots for YES/NO prediction markets.')
    .version(version(), '-V, --version', 'print the version')
    .option('--debug', 'print the stack of every error')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText(
      'after',
      exampleText([
        `${NAME} demo --duration 30s`,
        `${NAME} backtest config/demo.yaml`,
        `${NAME} new strategy my-maker`,
      ]),
    );
  for (const [title, specs] of GROUPS) {
    for (const spec of specs) program.addCommand(buildCommand(spec, session).helpGroup(`${title}:`));
  }
  return configure(program, session.terminal, NAME);
}

function buildCommand(spec: CommandSpec, session: Session): Command {
  const { name, summary, description, args = {}, options = {}, examples, commands = [], load } = spec;
  const command = new Command(name).description(description);
  if (summary !== undefined) command.summary(summary);
  for (const [syntax, { meaning, default: value }] of toEntries(args)) command.argument(syntax, meaning, value);
  for (const [syntax, { meaning, default: value, isRequired = false, isRepeatable = false }] of toEntries(options)) {
    const option = command.createOption(syntax, meaning).makeOptionMandatory(isRequired);
    if (value !== undefined) option.default(value);
    if (isRepeatable) option.argParser((text, previous: readonly string[] = []) => [...previous, text]);
    command.addOption(option);
  }
  if (examples !== undefined) command.addHelpText('after', exampleText(examples));
  for (const subcommand of commands) command.addCommand(buildCommand(subcommand, session));
  if (load !== undefined)
    command.action(async () => {
      const action = await load();
      // The semi-spaces of later threads keep their initial 1 MB, so that many threads fit into memory. Those of the
      // main thread keep the size to which they grew while modules loaded.
      setFlagsFromString('--semi-space-growth-factor=1');
      // If a command and its subcommand have the same option, commander assigns the value to the command.
      await action(session, command.args, command.optsWithGlobals());
    });
  return command;
}

function exampleText(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

/** Makes all commands write to the terminal, throw instead of exiting, and show their help after wrong usage. */
function configure(command: Command, terminal: Terminal, name: string): Command {
  const { commands } = command;
  command
    .exitOverride()
    .showHelpAfterError(`(${name} --help ${commands.length === 0 ? 'shows usage and examples' : 'lists the commands'})`)
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
      getOutHelpWidth: () => terminal.out.columns,
      getErrHelpWidth: () => terminal.err.columns,
    });
  for (const subcommand of commands) configure(subcommand, terminal, `${name} ${subcommand.name()}`);
  return command;
}
