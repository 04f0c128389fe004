/** Whether there is anything to run: the strategies and their parameters. */
import { SHARE } from '../../domain/index.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import type { PreflightInput } from './preflight-input.ts';

export function checkStrategy({ strategy, wishes }: Pick<PreflightInput, 'strategy' | 'wishes'>): readonly Finding[] {
  const { names, problem, orderAmount = 0 } = strategy;
  if (problem !== undefined) return [fail('strategy', problem, 'Correct `strategy`, `params` or `markets.overrides`')];
  const most = wishes.risk.maxOrder / SHARE;
  if (orderAmount <= most) return [ok('strategy', `${names.join(', ')}, with parameters that fit`)];
  const problemText = `order_amount ${orderAmount} is above risk.max_order ${most}: such quotes are refused`;
  return [warn('strategy', problemText, 'Lower the one or raise the other')];
}
