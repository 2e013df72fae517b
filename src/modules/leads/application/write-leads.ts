import { Injectable } from '@nestjs/common';
import type { ActingRef } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import {
  type FieldProblem,
  Overloaded,
  PublicError,
  RateLimited,
  ValidationFailed,
} from '../../../kernel/errors';
import type { LeadId } from '../../../kernel/ids';
import { slices } from '../../../kernel/slices';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { CustomFields } from '../domain/custom-fields';
import { fillingFields } from '../domain/fill-lead';
import { Lead, type LeadFields, type NewLead } from '../domain/lead';
import { Members } from '../../workspaces';
import { Pipeline } from '../domain/pipeline';
import { BatchReferences } from './batch-references';
import { CustomFieldReader } from './custom-field-reader';
import { LeadBatch, StaleBatch } from './lead-batch';
import { ExternalIdTaken, LeadMatches } from './lead-matches';
import { LeadOwners } from './lead-owners';
import { LeadPolicies } from './lead-policies';
import { LeadRepository } from './lead-repository';
import type { LeadWrite, LeadWritten, RefusedWrite } from './lead-writes';
import { PipelineRepository } from './pipeline-repository';
import { StageEntry } from './stage-entry';
import { leadsToLock, mayCreate, reservedValues, targetOf, valuesToFind } from './write-targets';

export const MAX_WRITES = 500;

const MAX_ATTEMPTS = 10;
const MAX_PROBLEMS = 50;

type Done = Exclude<LeadWritten, { status: 'failed' }>;

interface Batch {
  readonly ref: ActingRef;
  readonly leads: LeadBatch;
  readonly references: BatchReferences;
  readonly customFields: CustomFields;
}

/** Creates, updates and upserts leads in batches, in a few statements whatever their number. */
@Injectable()
export class WriteLeads {
  constructor(
    private readonly leads: LeadRepository,
    private readonly matches: LeadMatches,
    private readonly owners: LeadOwners,
    private readonly members: Members,
    private readonly policies: LeadPolicies,
    private readonly pipelines: PipelineRepository,
    private readonly entry: StageEntry,
    private readonly customFields: CustomFieldReader,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes leads in the given order, at most `MAX_WRITES`: a write sees what earlier ones did. A write that fails leaves the
   * others as they are.
   *
   * @throws ValidationFailed if `atomic` and any write fails, with every problem at `items[<index>].<field>`. Nothing is stored
   */
  run(
    ref: ActingRef,
    given: readonly (LeadWrite | RefusedWrite)[],
    { atomic }: { atomic: boolean },
  ): Promise<LeadWritten[]> {
    if (given.length > MAX_WRITES) throw new Error(`At most ${MAX_WRITES} leads are written at once.`);
    const writes = given.map((write) => ('problems' in write ? write : normalised(write)));
    return this.repeat(ref, writes, async (batch) => {
      const results: LeadWritten[] = [];
      const others = slices();
      for (const write of writes) {
        if ('problems' in write) results.push({ status: 'failed', problems: write.problems });
        else results.push(await this.alone(batch, write));
        await others();
      }
      if (atomic) refuseFailures(results);
      return results;
    });
  }

  /**
   * Writes a single lead.
   *
   * @throws PublicError if it fails
   */
  runOne(ref: ActingRef, given: LeadWrite): Promise<Done> {
    const write = normalised(given);
    return this.repeat(ref, [write], (batch) => this.apply(batch, write));
  }

  /** Others may change leads between the moment when they are found and when they are locked. The batch then begins again. */
  private async repeat<Result>(
    ref: ActingRef,
    writes: readonly (LeadWrite | RefusedWrite)[],
    work: (batch: Batch) => Promise<Result>,
  ): Promise<Result> {
    const given = writes.filter((write): write is LeadWrite => !('problems' in write));
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.unitOfWork.run(async () => {
          const batch = await this.begin(ref, given, attempt);
          const result = await work(batch);
          await this.leads.saveAll(ref, batch.leads.pending);
          const turns = await batch.references.takenTurns();
          if (turns) await this.owners.saveTurns(ref, turns);
          return result;
        });
      } catch (error) {
        if (!(error instanceof StaleBatch || (error instanceof ExternalIdTaken && !error.id))) throw error;
        // A policy may give a lead an external id that nobody has looked for.
        if (attempt === MAX_ATTEMPTS) throw error instanceof ExternalIdTaken ? error : new Overloaded();
      }
    }
  }

  /** Takes the locks: of values that are looked for, of leads by their ids, and of what leads refer to. */
  private async begin(ref: ActingRef, writes: readonly LeadWrite[], attempt: number): Promise<Batch> {
    await this.matches.reserve(ref, reservedValues(writes));
    const matches = await this.matches.find(ref, valuesToFind(writes));
    const ids = leadsToLock(writes, matches, attempt > 1);
    const locked = await this.leads.lockAll(ref, [...ids]);
    const leads = new LeadBatch(matches, ids, locked);
    const references = new BatchReferences(ref, {
      owners: this.owners,
      members: this.members,
      pipelines: this.pipelines,
      entry: this.entry,
    });
    await references.lock(
      writes.flatMap(({ fields, ifCreated = {} }) => [fields, ifCreated]),
      writes.some((write) => mayCreate(write, leads)),
    );
    return { ref, leads, references, customFields: await this.customFields.find(ref) };
  }

  /**
   * Policies write to the database, and read what earlier writes have stored. With policies, each write is therefore stored at
   * once, and undone alone if it fails.
   */
  private async alone(batch: Batch, write: LeadWrite): Promise<LeadWritten> {
    const { decideOnCreation, decideOnChange } = this.policies;
    const isDecided = decideOnCreation || decideOnChange;
    try {
      return await (isDecided ? this.stored(batch, write) : this.apply(batch, write));
    } catch (error) {
      if (isDecided) batch.leads.undo();
      if (isDecided) batch.references.forget();
      return { status: 'failed', problems: problemsOf(error) };
    }
  }

  private stored(batch: Batch, write: LeadWrite): Promise<Done> {
    return this.unitOfWork.run(async () => {
      const written = await this.apply(batch, write);
      await this.leads.saveAll(batch.ref, batch.leads.pending);
      batch.leads.settle();
      return written;
    });
  }

  private async apply(batch: Batch, write: LeadWrite): Promise<Done> {
    if (write.fields.custom) batch.customFields.requireFitting(write.fields.custom);
    const target = targetOf(batch.leads, write);
    return target ? this.change(batch, target, write) : this.create(batch, write);
  }

  private async create(
    { ref, leads, references, customFields }: Batch,
    { fields, ifCreated }: LeadWrite,
  ): Promise<Done> {
    const given = await this.policies.beforeCreate(ref, {}, newLead(fields, ifCreated));
    refuseTaken(leads, given);
    const entered = await references.enter(given);
    if (given.ownerId) await references.hold(given.ownerId);
    const turns = given.ownerId ? undefined : await references.turns();
    const ownerId = given.ownerId ?? turns?.next ?? null;
    const now = this.clock.now();
    const { lead, events } = Lead.open(ref, { ...given, ownerId }, now, entered, customFields);
    turns?.take();
    leads.add(lead, events);
    return { status: 'created', lead: lead.view() };
  }

  private async change(
    { ref, leads, references }: Batch,
    lead: Lead,
    { fields, onExisting }: LeadWrite,
  ): Promise<Done> {
    const needsPipeline = onExisting === 'fill' && fields.stage !== undefined;
    const pipeline = needsPipeline ? await references.pipeline() : new Pipeline(ref, []);
    const wanted = onExisting === 'fill' ? fillingFields(lead, fields, pipeline) : fields;
    const about = { lead: lead.view(), action: 'update' } as const;
    const changes = await this.policies.beforeChange(ref, about, lead.changesBy(wanted));
    refuseTaken(leads, changes, lead.id);
    const entered = await references.enter(changes);
    if (changes.ownerId && changes.ownerId !== lead.ownerId) await references.hold(changes.ownerId);
    const before = { ...lead };
    const events = lead.update(changes, this.clock.now(), entered);
    if (events.length > 0) leads.change(lead, before, events);
    return { status: events.length > 0 ? 'updated' : 'unchanged', lead: lead.view() };
  }
}

function normalised(write: LeadWrite): LeadWrite {
  return { ...write, fields: Lead.normalised(write.fields) };
}

/** @throws ValidationFailed for an upsert that finds no lead, and has no address for a new one */
function newLead(fields: Partial<LeadFields>, otherwise: Partial<LeadFields> = {}): NewLead {
  const given: Partial<LeadFields> = { ...valuesIn(otherwise), ...valuesIn(fields) };
  if (fields.custom && otherwise.custom) given.custom = { ...otherwise.custom, ...valuesIn(fields.custom) };
  if (given.email) return given as unknown as NewLead;
  throw new ValidationFailed({
    field: 'email',
    message: 'is required: no lead matches, and a new lead needs an address',
  });
}

function valuesIn<Fields extends object>(fields: Fields): Fields {
  const isValue = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isValue(value))) as Fields;
}

function refuseTaken(leads: LeadBatch, { externalId }: Partial<LeadFields>, own?: LeadId): void {
  const taken = externalId && leads.idsWith('externalId', externalId).find((id) => id !== own);
  if (taken) throw new ExternalIdTaken(taken);
}

/** @throws what isn't the fault of that one write */
function problemsOf(error: unknown): readonly FieldProblem[] {
  if (error instanceof ValidationFailed) return error.details;
  if (error instanceof PublicError && !(error instanceof RateLimited) && error.code !== 'server_error') {
    return [{ field: '', message: error.message }];
  }
  throw error;
}

function refuseFailures(results: readonly LeadWritten[]): void {
  const problems = results.flatMap((result, index) =>
    result.status === 'failed'
      ? result.problems.map(({ field, message }) => ({
          field: field ? `items[${index}].${field}` : `items[${index}]`,
          message,
        }))
      : [],
  );
  const [first, ...more] = problems.slice(0, MAX_PROBLEMS);
  if (first) throw new ValidationFailed(first, ...more);
}
