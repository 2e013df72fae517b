import { apiKeys } from './modules/api-keys';
import { leads } from './modules/leads';
import { workspaces } from './modules/workspaces';
import type { Feature } from './platform/feature';

/** The parts that every Gala has. */
export const features: Feature[] = [workspaces, apiKeys, leads];
