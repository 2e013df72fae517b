import { Controller, Get, Query } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { Page } from '../../../kernel/page';
import type { Principal } from '../../../kernel/principal';
import { type Role, ROLES } from '../../../kernel/role';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { PageQuery, toPageRequest } from '../../../platform/http/page-query';
import { exampleId } from '../../../platform/http/path-id';
import { DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { MemberQueries, type MemberView } from '../application/member-queries';

@ApiSchema({ name: 'Member', description: 'A person who can sign in to the workspace.' })
class MemberResponse implements Record<keyof MemberView, unknown> {
  @ApiProperty({ example: exampleId('user') }) id!: string;
  @ApiProperty({ type: String, nullable: true, example: null }) name!: string | null;
  @ApiProperty({ example: 'ana@example.com' }) email!: string;
  @ApiProperty({ enum: ROLES, example: 'member' }) role!: Role;
  @ApiProperty({ description: 'Whether the member gets no new leads for now.', example: false })
  isPaused!: boolean;
  @ApiProperty({
    description:
      'Whether the member was removed and has no access any more. They are listed until their leads are handed over.',
    example: false,
  })
  isLeaving!: boolean;
}

@Controller('/v1/members')
@DescribeGroup({ name: 'Members', description: 'The people of a workspace, who can own leads.' })
@RequireScope('members:read')
export class MembersApiController {
  constructor(private readonly queries: MemberQueries) {}

  @Get()
  @DescribeList({
    operationId: 'listMembers',
    summary: 'List members',
    description: 'By email address. Members belong to live and test mode alike.',
    item: MemberResponse,
    list: 'MemberList',
  })
  list(@Caller() { workspaceId }: Principal, @Query() query: PageQuery): Promise<Page<MemberView>> {
    const request = toPageRequest(query, {
      list: 'members',
      sort: { field: 'email', descending: false },
      kind: 'text',
      idPrefix: 'user',
    });
    return this.queries.list(workspaceId, request);
  }
}
