/** A command of the program as data. `commands.ts` lists them, `program.ts` builds the command line from them. */
import type { Session } from './output/terminal.ts';

export interface CommandSpec {
  readonly name: string;
  /** Text in the list of commands. Default: the description. */
  readonly summary?: string;
  readonly description: string;
  readonly args?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** Examples at the end of the help. */
  readonly examples?: readonly string[];
  /** Subcommands. */
  readonly commands?: readonly CommandSpec[];
  /** Imports the action and runs it. `args` are the operands as given; the action checks `options`. */
  readonly run?: (session: Session, args: readonly string[], options: object) => Promise<void>;
}

/** `<name>` is required, `[name]` is optional, `...` takes all remaining arguments. */
interface ArgumentSpec {
  readonly term: string;
  readonly meaning: string;
  readonly preset?: string;
}

export interface OptionSpec {
  readonly term: string;
  readonly meaning: string;
  readonly preset?: string;
  readonly isRequired?: boolean;
  /** Repeatable. Its value is the list of all values. */
  readonly repeats?: boolean;
}

/** Option of commands that read a configuration file. */
export const SET: OptionSpec = {
  term: '--set <key=value>',
  meaning: 'another value for one key of the file; repeatable',
  repeats: true,
};

/** @param printed description of the printed object */
export function jsonOption(printed: string): OptionSpec {
  return { term: '--json', meaning: `print ${printed} and nothing else` };
}
