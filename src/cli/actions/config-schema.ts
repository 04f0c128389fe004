import { z } from 'zod';
import { InputFault } from '../../domain/index.ts';
import { loadStrategy } from '../../runtime/index.ts';
import { KINDS, kindNamed } from '../kinds.ts';
import type { Session } from '../session.ts';
import { strategyFolders } from '../strategy-folders.ts';

const optionsSchema = z.object({ strategy: z.string().min(1).optional() });

/** Prints a JSON schema; with a strategy, `params` is described as well. */
export async function configSchema({ terminal }: Session, kindName: string, given: unknown): Promise<void> {
  const { strategy } = optionsSchema.parse(given);
  const kind = kindNamed(kindName);
  const schema = z.toJSONSchema(KINDS[kind], { io: 'input' });
  if (strategy !== undefined) {
    if (kind !== 'backtest') throw new InputFault('--strategy', strategy, 'none: only a backtest has a strategy');
    const loaded = await loadStrategy(strategy, { folders: strategyFolders(terminal.cwd), baseDir: terminal.cwd });
    const { $schema: _, ...params } = z.toJSONSchema(loaded.strategy.params, { io: 'input' });
    schema.properties = { ...schema.properties, params };
  }
  terminal.out.write(`${JSON.stringify(schema, null, 2)}\n`);
}
