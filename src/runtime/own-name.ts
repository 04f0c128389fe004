import { registerHooks } from 'node:module';

/** This package's light door: source when run from source, compiled when published. */
const DOOR = new URL(import.meta.url.endsWith('.ts') ? '../index.ts' : '../index.js', import.meta.url).href;

let answering = false;

/**
 * Makes `from 'halfspread'` mean this very copy, wherever the importing file lies: a strategy outside the repository needs
 * no installed package, and can never meet a second copy of the types it is judged by. Once a thread; for the life of it.
 */
export function answerOwnName(): void {
  if (answering) return;
  answering = true;
  registerHooks({
    resolve: (specifier, context, nextResolve) => nextResolve(specifier === 'halfspread' ? DOOR : specifier, context),
  });
}
