/** What a command of the program is, as data: `commands.ts` and `bot-commands.ts` list them, `program.ts` reads them. */
import type { Session } from './output/terminal.ts';

export interface CommandSpec {
  readonly name: string;
  /** For the list of commands; default: the description. */
  readonly summary?: string;
  readonly description: string;
  readonly args?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** Lines for the end of the help. */
  readonly examples?: readonly string[];
  /** Commands of its own; one that has some does nothing itself. */
  readonly commands?: readonly CommandSpec[];
  /** Loads what it needs, then does it. `args` are the operands as they were given. */
  readonly run?: (session: Session, args: readonly string[], options: unknown) => Promise<void>;
}

/** `<name>` has to be given, `[name]` may be left out, `...` takes all that follow. */
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
  /** It may come several times; its value is the list of all. */
  readonly repeats?: boolean;
}

/** Of a configuration file. */
export const SET: OptionSpec = {
  term: '--set <key=value>',
  meaning: 'another value for one key of the file; may come several times',
  repeats: true,
};

/** @param printed what the one object is */
export function jsonOption(printed: string): OptionSpec {
  return { term: '--json', meaning: `print ${printed} and nothing else` };
}
