import process from 'node:process';
import { runnableCommands } from '../docs/generator/cli-reference.ts';
import { listenForInterrupt } from '../src/cli/output/terminal.ts';
import { makeProgram } from '../src/cli/program.ts';

const OUTPUT = { write() {}, writeColored() {}, isTty: false, columns: 80, colors: false, stream: process.stderr };
const TERMINAL = { out: OUTPUT, err: OUTPUT, cwd: import.meta.dirname };

/** Returns the command-line program, with a terminal that discards its output. */
export function silentProgram(): ReturnType<typeof makeProgram> {
  return makeProgram({ terminal: TERMINAL, setExitCode() {}, interruption: listenForInterrupt });
}

/** Parses a command line without executing it. @throws the program's error for an invalid line */
export async function parseCommandLine(line: readonly string[]): Promise<void> {
  const program = silentProgram();
  for (const { command } of runnableCommands(program)) command.action(() => {});
  await program.parseAsync([...line], { from: 'user' });
}
