/** What every command is given, and how its help ends. */
import type { ExitCode } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

export interface Session {
  readonly terminal: Terminal;
  /** Ends with another exit code than 0, without a fault. */
  end(code: ExitCode): void;
}

/** Lines for the end of a command's help. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

/** Gathers an option that may come several times. */
export function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
