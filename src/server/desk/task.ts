/** What is done in a turn, and who is told of it. */
import type { ExchangeCommand, ExchangeEvent } from '../../exchange/index.ts';

/** Something to be asked of the exchange. */
export interface Task<Result> {
  /**
   * The command, made in its turn: the engine's view and identities have everything that was asked before it, part of it
   * perhaps not durable yet, so nothing of what is seen here may be told but by `answer`. Undefined for no command at all.
   * Whatever it throws goes to the caller, and nothing was asked.
   */
  command(): ExchangeCommand | undefined;
  /**
   * The command has just changed the state and is not durable yet: what is put into the registry now goes into the same
   * transaction. Not called where it, or an entry of it, was refused, or nothing changed. What it throws stops the desk.
   */
  applied?(): void;
  /**
   * All that the turn did is durable, and the engine stands exactly there: what is shown is made here. What it throws goes
   * to the caller.
   * @param events what the command told, refusals too; empty without a command
   */
  answer(events: readonly ExchangeEvent[]): Result;
}

/** Is told of everything that happens. What it throws stops the desk. */
export interface Watcher {
  /** A command has just changed the state, and is not durable yet: look and keep, tell nobody. In engine order. */
  applied?(command: ExchangeCommand): void;
  /**
   * What a command told, durable now: once for each command for which `applied` was called, in the same order. The
   * engine stands at the end of the turn, which may be some commands further.
   */
  told(events: readonly ExchangeEvent[], command: ExchangeCommand): void;
  /** All commands of the turn were told. */
  settled?(): void;
}
