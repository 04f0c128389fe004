import { CommanderError } from 'commander';
import { EXIT, type ExitCode } from './exit-code.ts';
import { makeProgram } from './program.ts';
import { showFault } from './show-fault.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line (without `node` and the script) to its end. Never throws. */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  const program = makeProgram(terminal, (ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(withDeepHelp(args), { from: 'user' });
    return code;
  } catch (error) {
    // Commander has said what is wrong; asking for help or the version ends this way too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { text, exitCode } = showFault(error, args.includes('--debug'));
    terminal.err.write(text);
    return exitCode;
  }
}

/** `help tape info` as `tape info --help`: commander's own `help` looks no deeper than one command. */
function withDeepHelp(args: readonly string[]): string[] {
  return args[0] === 'help' && args.length > 2 ? [...args.slice(1), '--help'] : [...args];
}
