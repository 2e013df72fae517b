import { Global, Module } from '@nestjs/common';
import { ExtensionSettings } from './extension-settings';

@Global()
@Module({
  providers: [ExtensionSettings],
  exports: [ExtensionSettings],
})
export class ExtensionSettingsModule {}
