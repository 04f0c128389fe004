import { seededRandom } from '../../clock/index.ts';
import { marketIdFromName } from '../../runtime/index.ts';
import type { BlockWriter, TapeManifest, TapeMarket } from '../../tape/index.ts';
import { TapeWriter } from '../tape-writer.ts';
import { SyntheticMarket } from './market.ts';
import { checkRecipe, type SyntheticRecipe } from './recipe.ts';

/** Time from the end of trading to the resolution, ms. */
const RESOLUTION_DELAY_MS = 60_000;
/** Mean near the default recipe. Estimates the number of messages, which sets the size of a price step. */
const ROWS_PER_MESSAGE = 1.15;
const ROWS_PER_PROGRESS_REPORT = 200_000;

/**
 * Writes a synthetic tape in constant memory. A failure leaves no file.
 * @param onProgress called with the finished fraction of the rows, 0 to 1
 * @throws InputFault for an invalid recipe, FileFault when the file cannot be written
 */
export function generateTape(
  recipe: SyntheticRecipe,
  path: string,
  onProgress: (fraction: number) => void = () => {},
): TapeManifest {
  checkRecipe(recipe);
  const writer = new TapeWriter(path);
  try {
    writeMessages(recipe, writer.messages, onProgress);
    return writer.finish({
      name: `synthetic-${recipe.seed}`,
      source: {
        description: `Synthetic, made by halfspread from the recipe ${JSON.stringify(recipe)}`,
        licence: 'MIT',
        files: [],
      },
      units: ['made in YES terms: prices in bps, sizes in lots of 0.01 share'],
      receiveTime: recipe.receiveDelayMs > 0 ? 'recorded' : 'missing',
      markets: Array.from({ length: recipe.markets }, (_, number) => describeMarket(recipe, number)),
    });
  } finally {
    writer.abandon();
  }
}

function writeMessages(recipe: SyntheticRecipe, out: BlockWriter, onProgress: (fraction: number) => void): void {
  const random = seededRandom(recipe.seed);
  const messages = Math.max(recipe.events / ROWS_PER_MESSAGE / recipe.markets, 1);
  const numbers = [...Array(recipe.markets).keys()];
  const markets = numbers.map((number) => new SyntheticMarket(number, recipe, messages, random, out));
  const meanMs = 1_000 / recipe.messagesPerSecond;
  let time: number = recipe.start;
  let rows = 0;
  let reported = 0;
  const writeMessage = (writeRows: (now: number) => void): void => {
    const now = Math.floor(time);
    out.begin(now, now + recipe.receiveDelayMs);
    writeRows(now);
    rows += out.end();
  };
  for (const market of markets) writeMessage(() => market.open());
  // Two more rows per market follow: the end of trading and the resolution.
  while (rows < recipe.events - 2 * recipe.markets) {
    time += meanMs * random.exponential();
    const market = markets[random.int(markets.length)];
    writeMessage((now) => market?.next(now));
    if (rows - reported < ROWS_PER_PROGRESS_REPORT) continue;
    reported = rows;
    onProgress(rows / recipe.events);
  }
  for (const market of markets) writeMessage(() => market.close());
  time += RESOLUTION_DELAY_MS;
  for (const market of markets) writeMessage(() => market.resolve());
}

function describeMarket(recipe: SyntheticRecipe, number: number): TapeMarket {
  return {
    id: marketIdFromName(`synthetic-${recipe.seed}-${number}`),
    slug: `synthetic-${recipe.seed}-${number}`,
    question: `Will synthetic market ${number} of seed ${recipe.seed} end with YES?`,
    outcomes: ['Yes', 'No'],
    grid: { type: 'tick', tickBps: recipe.tickBps },
    scheduledResolution: undefined,
    commissionBps: 0,
  };
}
