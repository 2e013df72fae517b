import { Injectable } from '@nestjs/common';
import { NotFound, ValidationFailed } from '../../../kernel/errors';
import type { LeadId, UserId, WorkspaceId } from '../../../kernel/ids';
import {
  type Page,
  pageOf,
  type PageRequest,
  type Position,
  type Slice,
  wholeList,
} from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import type { CustomFields, GivenValues, StoredValues } from '../domain/custom-fields';
import type { LeadView } from '../domain/lead';
import { isBuiltIn, type Outcome, type StageKey } from '../domain/stage';
import { CustomFieldReader } from './custom-field-reader';
import { meets, searchOf } from './lead-search';
import { PipelineRepository } from './pipeline-repository';

export const LEAD_SORT_FIELDS = ['createdAt', 'updatedAt', 'eventDate', 'name'] as const;
export type LeadSortField = (typeof LEAD_SORT_FIELDS)[number];

/** Each given condition narrows the list further. */
export interface LeadFilter {
  stage?: StageKey;
  outcome?: Outcome;
  /** This and the next two are compared as a whole, by `foldText`. */
  email?: string;
  tag?: string;
  source?: string;
  /** Compared exactly. */
  externalId?: string;
  /** Has the e-mail address or the phone number of this lead, and isn't it. */
  duplicateOf?: Pick<LeadView, 'id' | 'email' | 'phone'>;
  /** Null: without an owner. */
  owner?: UserId | null;
  /** Inclusive days. */
  eventDateFrom?: string;
  eventDateTo?: string;
  /** Inclusive numbers. */
  guestsFrom?: number;
  guestsTo?: number;
  /** Exclusive instants. */
  createdAfter?: Date;
  createdBefore?: Date;
  updatedAfter?: Date;
  archived: 'false' | 'true' | 'all';
  /** Each must occur somewhere in name, e-mail, phone or tags, ignoring case. */
  words?: string[];
  /** By `CustomFields.filter`. */
  custom?: StoredValues;
}

/** A filter as it is asked for: custom fields are compared with texts, by their keys. */
export type GivenLeadFilter = Omit<LeadFilter, 'custom'> & { custom?: GivenValues };

export abstract class LeadReader {
  abstract find(ref: WorkspaceRef, id: LeadId): Promise<LeadView | undefined>;
  abstract findByPhone(ref: WorkspaceRef, phone: string): Promise<LeadView | undefined>;
  /**
   * @param stages the leads at one of these stages; undefined for all
   * @param customFields those that the leads show
   */
  abstract list(
    ref: WorkspaceRef,
    filter: LeadFilter,
    stages: readonly StageKey[] | undefined,
    request: PageRequest<LeadSortField>,
    customFields: CustomFields,
  ): Promise<Slice<LeadView>>;
  /** How many leads that aren't archived are at each stage. Stages without leads may be absent. */
  abstract countByStage(ref: WorkspaceRef): Promise<ReadonlyMap<StageKey, number>>;
  /**
   * How many leads were created in each of these periods, at most `most` of each. A period reaches from one of the instants to the
   * next.
   */
  abstract countCreated(ref: WorkspaceRef, instants: readonly Date[], most: number): Promise<number[]>;
  /** Whether the workspace has ever had a lead, in either mode. */
  abstract hasAny(workspaceId: WorkspaceId): Promise<boolean>;
  /** Whether more leads than that match. Finds no more of them than it takes to tell. */
  abstract areMoreThan(
    count: number,
    ref: WorkspaceRef,
    filter: LeadFilter,
    stages: readonly StageKey[] | undefined,
  ): Promise<boolean>;
}

/** Of more leads than these, a whole list isn't searched for part by part. */
const MAX_FOUND_AGAIN = 10_000;

@Injectable()
export class LeadQueries {
  /** Of more new leads in a day, `countCreated` counts these. */
  static readonly MOST_COUNTED = 200;

  constructor(
    private readonly leads: LeadReader,
    private readonly pipelines: PipelineRepository,
    private readonly customFields: CustomFieldReader,
  ) {}

  async get(ref: WorkspaceRef, id: LeadId): Promise<LeadView> {
    const lead = await this.leads.find(ref, id);
    if (!lead) throw new NotFound('lead');
    return lead;
  }

  /**
   * The leads that share the e-mail address or the phone number of a lead.
   *
   * @throws NotFound for an unknown lead
   */
  async duplicates(
    ref: WorkspaceRef,
    id: LeadId,
    archived: LeadFilter['archived'],
    request: PageRequest<LeadSortField>,
  ): Promise<Page<LeadView>> {
    return this.list(ref, { duplicateOf: await this.get(ref, id), archived }, request);
  }

  /** The newest lead with that normalised number. Archived leads are returned only if there is no other. */
  findByPhone(ref: WorkspaceRef, phone: string): Promise<LeadView | undefined> {
    return this.leads.findByPhone(ref, phone);
  }

  /** How many leads were created from each of these instants to the next, archived ones included. */
  countCreated(ref: WorkspaceRef, instants: readonly Date[]): Promise<number[]> {
    return this.leads.countCreated(ref, instants, LeadQueries.MOST_COUNTED);
  }

  hasAny(workspaceId: WorkspaceId): Promise<boolean> {
    return this.leads.hasAny(workspaceId);
  }

  countByStage(ref: WorkspaceRef): Promise<ReadonlyMap<StageKey, number>> {
    return this.leads.countByStage(ref);
  }

  /** @throws ValidationFailed for an unknown stage, or a custom field that is unknown or doesn't have such values */
  async list(
    ref: WorkspaceRef,
    given: GivenLeadFilter,
    request: PageRequest<LeadSortField>,
  ): Promise<Page<LeadView>> {
    const customFields = await this.customFields.find(ref);
    return this.page(ref, filterBy(customFields, given), request, customFields);
  }

  /**
   * All leads that match, the newest first, part by part, with the custom fields that there are at the beginning. A search finds
   * all leads again for each part; those that many leads meet are therefore looked for while all leads are read.
   */
  async *all(ref: WorkspaceRef, given: GivenLeadFilter): AsyncGenerator<readonly LeadView[], void> {
    const customFields = await this.customFields.find(ref);
    const filter = filterBy(customFields, given);
    const listBy = (filter: LeadFilter) =>
      wholeList<LeadView, LeadSortField>({ field: 'createdAt', descending: true }, (request) =>
        this.page(ref, filter, request, customFields),
      );
    const { search, others } = searchOf(filter);
    if (!search || !(await this.isFrequent(ref, filter))) return yield* listBy(filter);
    for await (const part of listBy(others)) yield part.filter((lead) => meets(search, lead));
  }

  private async isFrequent(ref: WorkspaceRef, filter: LeadFilter): Promise<boolean> {
    return this.leads.areMoreThan(MAX_FOUND_AGAIN, ref, filter, await this.stagesOf(ref, filter));
  }

  private async page(
    ref: WorkspaceRef,
    filter: LeadFilter,
    request: PageRequest<LeadSortField>,
    customFields: CustomFields,
  ): Promise<Page<LeadView>> {
    const stages = await this.stagesOf(ref, filter);
    return pageOf(request, await this.leads.list(ref, filter, stages, request, customFields), (lead) =>
      positionOf(lead, request.sort.field),
    );
  }

  /** The stages that the filter leaves; undefined for all. */
  private async stagesOf(
    ref: WorkspaceRef,
    { stage, outcome }: LeadFilter,
  ): Promise<readonly StageKey[] | undefined> {
    if (outcome === undefined && (stage === undefined || isBuiltIn(stage))) return stage && [stage];
    const pipeline = await this.pipelines.find(ref);
    if (stage !== undefined && !pipeline.has(stage)) {
      throw new ValidationFailed({
        field: 'stage',
        message: `must be one of ${pipeline.keys.join(', ')}`,
      });
    }
    const stages = outcome === undefined ? [stage!] : pipeline.keysWith(outcome);
    return stage === undefined ? stages : stages.filter((key) => key === stage);
  }
}

function filterBy(customFields: CustomFields, { custom, ...others }: GivenLeadFilter): LeadFilter {
  return custom ? { ...others, custom: customFields.filter(custom) } : others;
}

function positionOf(lead: LeadView, field: LeadSortField): Position {
  const value = lead[field];
  return { value: value instanceof Date ? value.toISOString() : value, id: lead.id };
}
