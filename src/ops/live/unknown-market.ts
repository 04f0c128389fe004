import { InputFault } from '../../domain/index.ts';
import { nearest } from '../../strategy/index.ts';

const MOST_LISTED = 20;

/** The fault for a market that this bot does not trade: it lists those that it does, the one most like `name` first. */
export function unknownMarket(name: string, slugs: readonly string[]): InputFault {
  const near = nearest(name, slugs);
  const hint = near === undefined ? '' : ` (did you mean "${near}"?)`;
  const first = near === undefined ? slugs : [near, ...slugs.filter((slug) => slug !== near)];
  return new InputFault('market', name, `a market of this bot${hint}: ${someOf(first)}`);
}

/** The first slugs, and how many there are besides. */
export function someOf(slugs: readonly string[]): string {
  if (slugs.length === 0) return 'it has none';
  const more = slugs.length - MOST_LISTED;
  return `${slugs.slice(0, MOST_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
