import { Controller, Get } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type Mode, MODES, type Principal } from '../../../kernel/principal';
import { Caller, RequireCredential } from '../../../platform/access/access.decorators';
import { Describe, DescribeGroup } from '../../../platform/openapi/describe';
import { WorkspaceRepository } from '../application/workspace-repository';

class MeWorkspace {
  @ApiProperty({ example: 'ws_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ example: 'Garden Events' })
  name!: string;

  @ApiProperty({ description: 'tz database name.', example: 'Europe/Madrid' })
  timeZone!: string;

  @ApiProperty({ description: 'ISO 4217 code.', example: 'EUR' })
  currency!: string;
}

class MeCredential {
  @ApiProperty({ enum: ['api_key', 'oauth'], example: 'api_key' })
  type!: string;

  @ApiProperty({ example: 'key_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ example: 'Website form' })
  name!: string;

  @ApiProperty({ type: [String], example: ['leads:read', 'leads:write'] })
  scopes!: readonly string[];
}

@ApiSchema({ name: 'Me' })
class MeResponse {
  @ApiProperty()
  workspace!: MeWorkspace;

  @ApiProperty({ enum: MODES, example: 'test' })
  mode!: Mode;

  @ApiProperty()
  credential!: MeCredential;
}

@Controller('v1/me')
@DescribeGroup({ name: 'Workspace', description: 'The workspace that a credential opens.' })
export class MeController {
  constructor(private readonly workspaces: WorkspaceRepository) {}

  @Get()
  @RequireCredential()
  @Describe({
    operationId: 'getMe',
    summary: 'Who am I',
    description: 'The workspace, mode and scopes behind a credential.',
    response: MeResponse,
  })
  async get(@Caller() { workspaceId, mode, credential }: Principal): Promise<MeResponse> {
    const { id, name, timeZone, currency } = (await this.workspaces.find(workspaceId))!;
    const { type, id: credentialId, name: credentialName, scopes } = credential;
    return {
      workspace: { id, name, timeZone, currency },
      mode,
      credential: { type, id: credentialId, name: credentialName, scopes },
    };
  }
}
