import { Body, Controller, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { actorOf } from '../../../kernel/actor';
import { type Page, pageOf, type Position } from '../../../kernel/page';
import type { Precondition } from '../../../kernel/precondition';
import type { Principal } from '../../../kernel/principal';
import { Caller, RequireScope } from '../../../platform/access/access.decorators';
import { IfMatch } from '../../../platform/http/if-match.decorator';
import { OptionalBody } from '../../../platform/http/optional-body.decorator';
import { toPageRequest } from '../../../platform/http/page-query';
import { Describe, DescribeGroup, DescribeList } from '../../../platform/openapi/describe';
import { PipelineQueries } from '../application/pipeline-queries';
import { ShapePipeline } from '../application/shape-pipeline';
import { MAX_STAGES } from '../domain/pipeline';
import type { NewStage, StageView } from '../domain/pipeline-stage';
import {
  ArchiveStageBody,
  CreateStageBody,
  ListStagesQuery,
  ReorderStagesBody,
  StageOrderResponse,
  StageResponse,
  UpdateStageBody,
} from './stage.dto';
import { STAGE_KEY_PATTERN } from '../domain/stage';
import { STAGE } from './stage-key';

const PATH = '/v1/stages';

@Controller(PATH)
@DescribeGroup({
  name: 'Stages',
  description:
    'The pipeline of the workspace: the stages that its leads go through. Every workspace has the eight built-in stages, which can be renamed, reordered and hidden, and it can add stages of its own.',
})
export class StagesController {
  constructor(
    private readonly shape: ShapePipeline,
    private readonly queries: PipelineQueries,
  ) {}

  @Get()
  @RequireScope('leads:read')
  @DescribeList({
    operationId: 'listStages',
    summary: 'List stages',
    description: 'In their order, archived ones last.',
    item: StageResponse,
    list: 'StageList',
  })
  async list(@Caller() caller: Principal, @Query() query: ListStagesQuery): Promise<Page<StageView>> {
    const { archived = 'all' } = query;
    const request = toPageRequest(query, {
      list: 'stages',
      filters: { archived },
      sort: { field: 'position', descending: false },
      kind: 'integer',
      idPrefix: new RegExp(STAGE_KEY_PATTERN),
    });
    const stages = (await this.queries.stages(caller)).filter(
      ({ archivedAt }) => archived === 'all' || (archivedAt !== null) === (archived === 'true'),
    );
    const { after, page, limit } = request;
    const first = after ? stages.filter((stage) => !isAfter(stage, after)).length : (page - 1) * limit;
    const items = stages.slice(first, first + limit);
    const slice = { items, hasMore: first + limit < stages.length, total: stages.length };
    return pageOf(request, slice, (stage) => ({ value: String(rankOf(stage)), id: stage.key }));
  }

  @Post()
  @RequireScope('schema:write')
  @Describe({
    operationId: 'createStage',
    summary: 'Add a stage',
    description: `It comes last. At most ${MAX_STAGES} stages, not counting archived ones.`,
    status: 201,
    response: StageResponse,
    setsLocation: true,
    invalid: { field: 'key', message: 'is the key of another stage' },
  })
  async create(
    @Caller() caller: Principal,
    @Body() body: CreateStageBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StageView> {
    const given = Object.entries(body).filter(([, value]) => value !== null && value !== undefined);
    const fields = Object.fromEntries(given) as unknown as NewStage;
    const stage = await this.shape.add(caller, actorOf(caller), fields);
    response.setHeader('Location', `${PATH}/${stage.key}`);
    return stage;
  }

  @Put('order')
  @RequireScope('schema:write')
  @Describe({
    operationId: 'reorderStages',
    summary: 'Reorder the stages',
    description: 'All at once: the keys are those of all stages that aren’t archived.',
    response: StageOrderResponse,
    invalid: { field: 'keys', message: 'must contain each stage that isn’t archived exactly once' },
  })
  async reorder(
    @Caller() caller: Principal,
    @Body() { keys }: ReorderStagesBody,
  ): Promise<StageOrderResponse> {
    return { data: await this.shape.reorder(caller, actorOf(caller), keys) };
  }

  @Get(':key')
  @RequireScope('leads:read')
  @Describe({
    operationId: 'getStage',
    summary: 'Get a stage',
    description: 'Archived ones too.',
    object: STAGE,
    response: StageResponse,
  })
  get(@Caller() caller: Principal, @Param('key') key: string): Promise<StageView> {
    return this.queries.stage(caller, STAGE.read(key));
  }

  @Patch(':key')
  @RequireScope('schema:write')
  @Describe({
    operationId: 'updateStage',
    summary: 'Update a stage',
    description:
      'Changes the given fields alone. Built-in stages keep their outcome and have no rules. An archived stage can’t be changed.',
    object: STAGE,
    request: { name: 'Menu tasting', requiredFields: ['phone'] },
    response: StageResponse,
    answer: { name: 'Menu tasting' },
    invalid: { field: 'outcome', message: 'can’t be changed: leads have been at the stage' },
  })
  update(
    @Caller() caller: Principal,
    @Param('key') key: string,
    @Body() body: UpdateStageBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<StageView> {
    const { requiredFields, ...others } = body;
    const changes = { ...others, requiredFields: requiredFields === null ? [] : requiredFields };
    return this.shape.update(caller, actorOf(caller), STAGE.read(key), changes, seen);
  }

  @Post(':key/archive')
  @HttpCode(200)
  @OptionalBody()
  @RequireScope('schema:write')
  @Describe({
    operationId: 'archiveStage',
    summary: 'Archive a stage',
    description:
      'From then on no lead can enter it. Its leads are moved to `moveTo` in the background, which `moving` shows; each of them gets its events. Built-in stages can’t be archived. Archiving it again changes nothing.',
    object: STAGE,
    response: StageResponse,
    answer: {
      archivedAt: '2027-01-16T11:00:00.000Z',
      leads: 120,
      moving: { to: 'negotiation', left: 120 },
    },
    invalid: { field: 'moveTo', message: 'is required: 120 leads are at this stage' },
  })
  archive(
    @Caller() caller: Principal,
    @Param('key') key: string,
    @Body() { moveTo }: ArchiveStageBody,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<StageView> {
    return this.shape.archive(caller, actorOf(caller), STAGE.read(key), moveTo ?? undefined, seen);
  }

  @Post(':key/restore')
  @HttpCode(200)
  @RequireScope('schema:write')
  @Describe({
    operationId: 'restoreStage',
    summary: 'Restore an archived stage',
    description:
      'It comes last. Leads that have been moved stay where they are. One that isn’t archived is left as it is.',
    object: STAGE,
    response: StageResponse,
  })
  restore(
    @Caller() caller: Principal,
    @Param('key') key: string,
    @IfMatch() seen: Precondition | undefined,
  ): Promise<StageView> {
    return this.shape.restore(caller, actorOf(caller), STAGE.read(key), seen);
  }
}

/** More than any position, for the archived stages, which come last. */
const ARCHIVED_RANK = 1_000_000;

function rankOf({ archivedAt, position }: StageView): number {
  return position + (archivedAt ? ARCHIVED_RANK : 0);
}

/** By its place alone: the stage of a cursor may have got another one, or have left the list. */
function isAfter(stage: StageView, { value, id }: Position): boolean {
  const difference = rankOf(stage) - Number(value);
  return difference > 0 || (difference === 0 && stage.key > id);
}
