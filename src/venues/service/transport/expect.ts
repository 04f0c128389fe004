import { Fault, InputFault } from '../../../domain/index.ts';
import { type Answer, isUnauthorized, problemOf } from './answer.ts';

/**
 * The data of an answer that a start cannot do without.
 * @param what such as `bettingConfig`
 * @throws Fault LINK (retryable), BLOCKED, UNAUTHORIZED or REFUSED, each with what to do
 */
export function expectData<Data>(answer: Answer<Data>, what: string): Data {
  switch (answer.type) {
    case 'data':
      return answer.data;
    case 'lost':
      throw new Fault('LINK', `${what} could not be read: ${answer.problem}. Check url and the network.`, {
        retryable: true,
      });
    case 'malformed':
      throw new Fault(
        'VENUE',
        `${what} is not as the contract has it: ${answer.problem}. Run \`npx halfspread doctor <config.yaml>\` to compare the schemas`,
        { retryable: true },
      );
    case 'blocked':
      throw new Fault(
        'BLOCKED',
        `${what} could not be read: ${answer.problem}. Check url, headers, and whether this address may use the venue.`,
      );
    default: {
      if (isUnauthorized(answer)) {
        throw new Fault('UNAUTHORIZED', `${what} needs credentials that the venue accepts. Check the account's key.`);
      }
      const remedy =
        "Run `npx halfspread doctor <config.yaml>`: it compares the venue's schema with what the bot needs.";
      throw new Fault('REFUSED', `${what} was refused: ${problemOf(answer)}. ${remedy}`);
    }
  }
}

/** What a venue sent is no mistake of the user's, whichever codec found it: a fault VENUE, where it is an InputFault. */
export function venueFault(error: unknown): Error {
  if (!(error instanceof InputFault)) return error instanceof Error ? error : new Error(String(error));
  const remedy = "Run `npx halfspread doctor <config.yaml>`: it compares the venue's schema with what the bot needs";
  return new Fault('VENUE', `what the venue sent cannot be used: ${error.message}. ${remedy}`, { cause: error });
}
