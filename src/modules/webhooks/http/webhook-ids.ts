import { PathId } from '../../../platform/http/path-id';

export const ENDPOINT = new PathId('wh', 'webhook endpoint');
export const DELIVERY = new PathId('del', 'delivery');
