import { accounts } from './modules/accounts';
import { activities } from './modules/activities';
import { apiKeys } from './modules/api-keys';
import { auditLog } from './modules/audit-log';
import { brand } from './modules/brand';
import { calendar } from './modules/calendar';
import { files } from './modules/files';
import { holds } from './modules/holds';
import { imports } from './modules/imports';
import { leads } from './modules/leads';
import { messages } from './modules/messages';
import { oauth } from './modules/oauth';
import { proposals } from './modules/proposals';
import { reports } from './modules/reports';
import { requestLog } from './modules/request-log';
import { shell } from './modules/shell';
import { tasks } from './modules/tasks';
import { timeline } from './modules/timeline';
import { webhooks } from './modules/webhooks';
import { workspaces } from './modules/workspaces';
import type { Feature } from './platform/feature';

/** The parts that every Gala has, in the order in which the API reference shows them. */
export const features: Feature[] = [
  leads,
  imports,
  activities,
  tasks,
  timeline,
  proposals,
  files,
  calendar,
  holds,
  messages,
  reports,
  apiKeys,
  workspaces,
  brand,
  accounts,
  auditLog,
  oauth,
  webhooks,
  requestLog,
  shell,
];
