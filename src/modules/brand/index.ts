import type { Feature } from '../../platform/feature';
import { BrandModule } from './brand.module';

export { Brands } from './application/brands';
export type { Brand } from './domain/brand';

export const brand: Feature = { module: BrandModule };
