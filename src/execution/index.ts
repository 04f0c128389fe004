export type { Plan, Planner } from './planner.ts';
