import { Global, Module } from '@nestjs/common';
import { Exports } from './exports';
import { ExportsUnderWay } from './exports-under-way';

@Global()
@Module({
  providers: [Exports, ExportsUnderWay],
  exports: [Exports],
})
export class ExportsModule {}
