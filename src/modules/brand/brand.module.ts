import { Module } from '@nestjs/common';
import { AuditActions } from '../audit-log';
import { SettingsNavigation } from '../shell';
import { BRAND_ACTIONS } from './application/brand-actions';
import { BrandRepository } from './application/brand-repository';
import { Brands } from './application/brands';
import { PostgresBrandRepository } from './infrastructure/brand.repository';
import { BrandController } from './pages/brand.controller';

@Module({
  controllers: [BrandController],
  providers: [Brands, { provide: BrandRepository, useClass: PostgresBrandRepository }],
  exports: [Brands],
})
export class BrandModule {
  constructor(navigation: SettingsNavigation, actions: AuditActions) {
    actions.register(BRAND_ACTIONS);
    navigation.add({ group: 'Workspace', label: 'Brand', path: ':mode/brand', least: 'admin', position: 2 });
  }
}
