import { Command } from 'commander';
import { examples, type Session, several } from '../session.ts';

/** `halfspread serve`. */
export function serveCommand(session: Session): Command {
  return new Command('serve')
    .summary('run a venue on play money: GraphQL over HTTP and WebSocket')
    .description(
      'Runs a venue: GraphQL over HTTP and WebSocket, on play money. Prints one line with its URL when it is ready; SIGTERM or SIGINT ends it in good order.',
    )
    .option(
      '--db <file>',
      'database; it is made when there is none, and `:memory:` lives as long as the process',
      ':memory:',
    )
    .option('--accept-loss', 'go on where the database lacks records that were acknowledged: they are gone then')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on, 0 for any that is free', '4000')
    .option('--config <file>', 'YAML file of the venue; docs/configuration.md describes it')
    .option('--set <key=value>', 'another value for one key of that file; may come several times', several)
    .option('--credit-cents <n>', 'play money of each new account, cents, instead of the one of the file')
    .option('--seed', 'put example categories, topics and markets in, with a house maker that quotes them')
    .option('--replay <tape>', "tape to play as the outside world's flow; may come several times", several)
    .option('--from <time>', 'where its markets begin: ISO 8601 with Z, or a time of day such as 12:00:00Z')
    .option('--speed <n>', 'seconds of the tape in one second, 1 unless given')
    .option('--chaos <file>', 'YAML file of faults to be put in on purpose')
    .option('--new-operator-token', "draw the operators' token anew; the old one ends")
    .option('--log <level>', 'what is logged to standard error: debug, info, warn, error or silent', 'info')
    .addHelpText(
      'after',
      examples(
        'npx halfspread serve --seed',
        'npx halfspread serve --db venue.db --port 4000',
        'npx halfspread serve --replay config/tapes/betfair-1.200806927.tape --from 12:00:00Z --speed 60',
      ),
    )
    .action(async (options: unknown) => {
      const { serve } = await import('../actions/serve.ts');
      await serve(session, options);
    });
}
