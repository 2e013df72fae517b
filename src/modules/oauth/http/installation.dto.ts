import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { exampleId } from '../../../platform/http/path-id';
import { TIME, TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import type { Installation } from '../domain/installation';

/** Only events contain it; no route returns it. */
@ApiSchema({ name: 'Installation', description: 'An app that was installed in this workspace and mode.' })
export class InstallationResponse implements Record<
  keyof Omit<Installation, 'workspaceId' | 'mode'>,
  unknown
> {
  @ApiProperty({ example: exampleId('inst') }) id!: string;
  @ApiProperty({ example: exampleId('app') }) appId!: string;
  @ApiProperty({ example: 'Seating Planner' }) appName!: string;
  @ApiProperty({
    type: [String],
    description: 'The scopes that it was last granted.',
    example: ['leads:read'],
  })
  scopes!: string[];
  @ApiProperty({ description: 'The person who installed it.', example: exampleId('user') })
  installedBy!: string;
  @ApiProperty(TIME) createdAt!: Date;
  @ApiProperty(TIME_OR_NULL) lastUsedAt!: Date | null;
  @ApiProperty(TIME_OR_NULL) removedAt!: Date | null;
}
