/** Combines a wrapper and the strategy that it wraps. */
import { z } from 'zod';
import type { Strategy, StrategyWrapper } from '../strategy/index.ts';
import { checkedHandlers } from './bot.ts';

const STRATEGY = 'The wrapped strategy: a name under strategies/, or a path relative to this file.';
const PARAMS = "The wrapped strategy's parameters, checked by its innerParams schema. Default: its defaults.";

/**
 * Returns a wrapper around a strategy as one strategy. Its name joins both names, which separates states and reports of
 * different wrapped strategies.
 * @param innerName the wrapped strategy as the configuration names it
 */
export function wrappedStrategy(wrapper: StrategyWrapper, inner: Strategy, innerName: string): Strategy {
  const { scope, state, signals } = inner;
  const params = wrapper.params.safeExtend({ strategy: z.literal(innerName), params: inner.params.prefault({}) });
  return typed(params, {
    name: `${wrapper.name}-${inner.name}`,
    summary: wrapper.summary,
    ...(scope !== undefined && { scope }),
    ...(state !== undefined && { state }),
    timers: ({ params: innerParams }) => inner.timers?.(innerParams) ?? [],
    ...(signals !== undefined && { signals: ({ params: innerParams }) => inner.signals?.(innerParams) ?? [] }),
    create: (all, context) => {
      const { params: innerParams } = all;
      return wrapper.wrap(checkedHandlers(inner.create(innerParams, context)), all, context);
    },
  });
}

/** Schema of a wrapper's parameters before the wrapped strategy is known. */
export function wrapperSchema({ params }: StrategyWrapper): z.ZodType {
  return params.safeExtend({
    strategy: z.string().min(1).describe(STRATEGY),
    params: z.record(z.string(), z.unknown()).default({}).describe(PARAMS),
  });
}

function typed<S extends z.ZodType>(params: S, rest: Omit<Strategy<S>, 'params'>): Strategy {
  return { params, ...rest };
}
