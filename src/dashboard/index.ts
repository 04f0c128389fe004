export { AuditLog } from './api/audit.ts';
export { Fleet } from './api/fleet.ts';
export { serveDashboard } from './api/server.ts';
export type { Secrets } from './api/sessions.ts';
export type { BotEndpoint } from './api/watched-bot.ts';
