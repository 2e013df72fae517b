import { apiKeys } from './modules/api-keys';
import { leads } from './modules/leads';
import { workspaces } from './modules/workspaces';
import type { Feature } from './platform/feature';

/** The parts that every Gala has, in the order in which the API reference shows them. */
export const features: Feature[] = [leads, apiKeys, workspaces];
