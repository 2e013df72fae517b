import { Module } from '@nestjs/common';
import { MeController } from './http/me.controller';
import { CreateWorkspace } from './application/create-workspace';
import { WorkspaceRepository } from './application/workspace-repository';
import { TypeOrmWorkspaceRepository } from './infrastructure/typeorm-workspace-repository';

@Module({
  controllers: [MeController],
  providers: [CreateWorkspace, { provide: WorkspaceRepository, useClass: TypeOrmWorkspaceRepository }],
  exports: [CreateWorkspace, WorkspaceRepository],
})
export class WorkspacesModule {}
